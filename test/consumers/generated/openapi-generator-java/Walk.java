import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.OrdersApi;
import org.openapitools.client.api.PaymentsApi;
import org.openapitools.client.api.PetsApi;
import org.openapitools.client.model.*;

/** Does the walk of README.md with a client that openapi-generator made from /openapi-3.1.json: Walk URL TOKEN. */
public class Walk {
  static ApiClient clientAt(String url, String token) {
    var client = new ApiClient();
    client.updateBaseUri(url);
    if (token != null) client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    return client;
  }

  public static void main(String[] args) throws Exception {
    var anyone = clientAt(args[0], null);
    var staff = clientAt(args[0], args[1]);

    var request = new PetRequest().name("Biscuit").species(PetRequest.SpeciesEnum.DOG).ageMonths(14);
    request.price("250.00").currency(PetRequest.CurrencyEnum.USD);
    var pet = new PetsApi(staff).createPet(request, null, null);
    var pets = new PetsApi(anyone).listPets(null, null, null, null, null, null, "DOG", null, null, null, null);
    var orders = new OrdersApi(anyone);
    var order = orders.createOrder(new OrderRequest().petId(pet.getId()), null, null);
    var card = new BankCard()._object(BankCard.ObjectEnum.CARD).number("4242424242424242").expMonth(12).expYear(2031);
    var payment = new PaymentRequest().amount("250.00").currency(PaymentRequest.CurrencyEnum.USD).source(new PaymentSource(card));
    var paid = new PaymentsApi(anyone).createOrderPayment(order.getId(), payment, null, null);
    var until = System.nanoTime() + 30_000_000_000L;
    while (order.getStatus() != Order.StatusEnum.APPROVED && System.nanoTime() < until)
      order = orders.getOrder(order.getId(), null, null, null);

    var names = pets.getData().stream().map(Pet::getName).toList();
    var last4 = paid.getSource().getMaskedBankCard().getLast4();
    var result = Map.of("listed", names, "last4", last4, "status", order.getStatus().getValue());
    System.out.println(new ObjectMapper().writeValueAsString(result));
  }
}
