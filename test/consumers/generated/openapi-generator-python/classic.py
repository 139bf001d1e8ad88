"""Does the walk of the classic variant with a client that openapi-generator made: classic.py FOLDER URL TOKEN."""

import json
import sys

FOLDER, URL, TOKEN = sys.argv[1:]
sys.path.insert(0, FOLDER)

import openapi_client as petstore  # noqa: E402

anyone = petstore.ApiClient(petstore.Configuration(host=f"{URL}/api/v3"))
staff = petstore.ApiClient(petstore.Configuration(host=f"{URL}/api/v3", access_token=TOKEN))

pet = petstore.PetApi(staff).add_pet(petstore.PetRequest(name="Biscuit"))
found = petstore.PetApi(anyone).find_pets_by_status(status=["available"])
placed = petstore.StoreApi(anyone).place_order(petstore.OrderRequest(petId=pet.id))
order = petstore.StoreApi(staff).get_order_by_id(placed.id)
print(json.dumps({"found": pet.id in [one.id for one in found], "status": order.status}))
