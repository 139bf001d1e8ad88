import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.PetApi;
import org.openapitools.client.api.StoreApi;
import org.openapitools.client.model.*;

/** Does the walk of the classic variant with a client that openapi-generator made from its document: Classic URL TOKEN. */
public class Classic {
  static ApiClient clientAt(String url, String token) {
    var client = new ApiClient();
    client.updateBaseUri(url + "/api/v3");
    if (token != null) client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    return client;
  }

  public static void main(String[] args) throws Exception {
    var anyone = clientAt(args[0], null);
    var staff = clientAt(args[0], args[1]);

    var pet = new PetApi(staff).addPet(new PetRequest().name("Biscuit"), null, null);
    var found = new PetApi(anyone).findPetsByStatus(List.of("available"), null);
    var placed = new StoreApi(anyone).placeOrder(new OrderRequest().petId(pet.getId()), null, null);
    var order = new StoreApi(staff).getOrderById(placed.getId(), null);
    var isFound = found.stream().anyMatch(one -> one.getId().equals(pet.getId()));
    System.out.println("{\"found\":" + isFound + ",\"status\":\"" + order.getStatus().getValue() + "\"}");
  }
}
