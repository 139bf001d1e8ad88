"""Does the walk of README.md with a client that openapi-generator made from /openapi-3.1.json: walk.py FOLDER URL TOKEN."""

import json
import sys
from time import monotonic

FOLDER, URL, TOKEN = sys.argv[1:]
sys.path.insert(0, FOLDER)

import openapi_client as petstore  # noqa: E402

anyone = petstore.ApiClient(petstore.Configuration(host=URL))
staff = petstore.ApiClient(petstore.Configuration(host=URL, access_token=TOKEN))

request = petstore.PetRequest(name="Biscuit", species="DOG", ageMonths=14, price="250.00", currency="USD")
pet = petstore.PetsApi(staff).create_pet(request)
pets = petstore.PetsApi(anyone).list_pets(species="DOG")
order = petstore.OrdersApi(anyone).create_order(petstore.OrderRequest(petId=pet.id))
card = petstore.BankCard(object="card", number="4242424242424242", expMonth=12, expYear=2031)
payment = petstore.PaymentRequest(source=petstore.PaymentSource(card), amount="250.00", currency="USD")
paid = petstore.PaymentsApi(anyone).create_order_payment(order.id, payment)
until = monotonic() + 30
while order.status != "approved" and monotonic() < until:
    order = petstore.OrdersApi(anyone).get_order(order.id)

last4 = paid.source.actual_instance.last4
print(json.dumps({"listed": [listed.name for listed in pets.data], "last4": last4, "status": order.status}))
