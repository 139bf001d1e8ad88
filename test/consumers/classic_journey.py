"""Uses the classic variant, with a client that openapi-python-client generated from /api/v3/openapi.json.

    classic_journey.py FOLDER URL TOKEN

FOLDER contains the generated package classic_store. Prints what the client returned, as one line of JSON.
"""

import base64
import io
import json
import sys

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def check(response, kind):
    """Returns the parsed body; fails if it is not of this kind."""
    if not isinstance(response.parsed, kind):
        raise SystemExit(f"expected {kind.__name__}, got {response.status_code} {response.content.decode()}")
    return response.parsed


def main(url, token):
    from classic_store import AuthenticatedClient, Client, models
    from classic_store.api.pet import add_pet, delete_pet, find_pets_by_status, find_pets_by_tags, get_pet_by_id
    from classic_store.api.pet import update_pet_with_form, upload_file
    from classic_store.types import File
    from classic_store.api.store import get_inventory, place_order
    from classic_store.api.user import create_users_with_list_input, login_user

    anyone = Client(base_url=f"{url}/api/v3")
    staff = AuthenticatedClient(base_url=f"{url}/api/v3", token=token)

    new_pet = models.PetRequest(name="Tilly", category=models.Category(name="Cats"), tags=[models.Tag(name="calm")])
    pet = check(add_pet.sync_detailed(client=staff, body=new_pet), models.Pet)
    available = models.FindPetsByStatusStatusItem.AVAILABLE
    found = check(find_pets_by_status.sync_detailed(client=anyone, status=[available]), list)
    tagged = check(find_pets_by_tags.sync_detailed(client=anyone, tags=["calm", "wild"]), list)
    renamed = check(update_pet_with_form.sync_detailed(pet.id, client=staff, name="Milly"), models.Pet)
    image = models.ImageUpload(file=File(payload=io.BytesIO(PIXEL), file_name="tilly.png", mime_type="image/png"))
    uploaded = check(upload_file.sync_detailed(pet.id, client=staff, body=image), models.ApiResponse)
    order = check(place_order.sync_detailed(client=anyone, body=models.OrderRequest(pet_id=pet.id)), models.Order)
    reserved = check(get_pet_by_id.sync_detailed(pet.id, client=anyone), models.Pet)
    inventory = check(get_inventory.sync_detailed(client=staff), models.GetInventoryResponse200)

    users = [
        models.UserRequest(username=name, email=f"{name}@example.com", password="correct horse battery")
        for name in ("ann", "bea")
    ]
    user = check(create_users_with_list_input.sync_detailed(client=anyone, body=users), models.User)
    signed_in = check(login_user.sync_detailed(client=anyone, username="bea", password="correct horse battery"), str)

    other = check(add_pet.sync_detailed(client=staff, body=models.PetRequest(name="Rex")), models.Pet)
    delete_pet.sync_detailed(other.id, client=staff)
    missing = check(get_pet_by_id.sync_detailed(other.id, client=anyone), models.ApiError)

    print(
        json.dumps(
            {
                "pet": {
                    "name": pet.name,
                    "category": pet.category.name,
                    "tags": [tag.name for tag in pet.tags],
                    "status": pet.status.value,
                },
                "found": pet.id in [one.id for one in found],
                "tagged": [one.id for one in tagged] == [pet.id],
                "renamed": [renamed.name, renamed.status.value],
                "uploaded": [uploaded.code, uploaded.type_],
                "photos": len(reserved.photo_urls),
                "order": [order.status.value, order.pet_id == pet.id],
                "reserved": reserved.status.value,
                "inventory": inventory["pending"],
                "user": user.username,
                "isSignedIn": signed_in.count(".") == 2,
                "missing": missing.code,
            }
        )
    )


sys.path.insert(0, sys.argv[1])
main(*sys.argv[2:])
