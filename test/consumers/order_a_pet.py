"""Orders and pays a pet, with a client that openapi-python-client generated from /openapi-3.1.json.

    order_a_pet.py FOLDER URL TOKEN

FOLDER contains the generated package pet_store. Prints what the client returned, as one line of JSON.
"""

import json
import sys
from time import monotonic
from uuid import uuid4

APPROVED_WITHIN = 30
"""Seconds until the order must be approved. The payment succeeds shortly after the request."""


def check(response, kind):
    """Returns the parsed body; fails if it is not of this kind."""
    if not isinstance(response.parsed, kind):
        raise SystemExit(f"expected {kind.__name__}, got {response.status_code} {response.content.decode()}")
    return response.parsed


def main(url, token):
    from pet_store import AuthenticatedClient, Client
    from pet_store.api.inventory import get_inventory
    from pet_store.api.orders import create_order, deliver_order, get_order, ship_order
    from pet_store.api.payments import create_order_payment, get_order_payment, get_order_receipt
    from pet_store.api.pets import create_pet, get_pet, list_pets, search_pets_by_post
    from pet_store import models

    anyone = Client(base_url=url)
    staff = AuthenticatedClient(base_url=url, token=token)

    new_pet = models.PetRequest(
        name="Luna",
        species=models.PetRequestSpecies.DOG,
        age_months=18,
        price="250.00",
        currency=models.PetRequestCurrency.USD,
        medical_info=models.MedicalInfo(vaccinated=True, health_notes="fit"),
    )
    created = check(create_pet.sync_detailed(client=staff, body=new_pet, idempotency_key=str(uuid4())), models.Pet)
    listed = check(list_pets.sync_detailed(client=anyone, species=models.ListPetsSpecies.DOG), models.PetCollection)
    criteria = models.SearchCriteria(medical=models.MedicalCriteria(vaccinated=True))
    search = models.PetSearch(criteria=criteria, pagination=models.PageQuery(limit=5))
    found = check(search_pets_by_post.sync_detailed(client=anyone, body=search), models.PetSearchResult)
    missing = check(get_pet.sync_detailed(client=anyone, id=uuid4()), models.Problem)

    new_order = models.OrderRequest(pet_id=created.id, user_id="ann")
    order = check(create_order.sync_detailed(client=anyone, body=new_order), models.Order)
    card = models.BankCard(
        object_=models.BankCardObject.CARD,
        name="Ann Example",
        number="4242424242424242",
        cvc="123",
        exp_month=12,
        exp_year=2031,
        address_city="London",
    )
    payment = models.PaymentRequest(source=card, amount="250.00", currency=models.PaymentRequestCurrency.USD)
    check(create_order_payment.sync_detailed(client=anyone, id=order.id, body=payment), models.Payment)

    deadline = monotonic() + APPROVED_WITHIN
    while order.status != models.OrderStatus.APPROVED and monotonic() < deadline:
        order = check(get_order.sync_detailed(client=anyone, id=order.id), models.Order)
    paid = check(get_order_payment.sync_detailed(client=anyone, id=order.id), models.Payment)
    receipt = check(get_order_receipt.sync_detailed(client=anyone, id=order.id), models.Receipt)
    check(ship_order.sync_detailed(client=staff, id=order.id), models.Order)
    check(deliver_order.sync_detailed(client=staff, id=order.id), models.Order)
    delivered = check(get_order.sync_detailed(client=anyone, id=order.id), models.Order)
    inventory = check(get_inventory.sync_detailed(client=staff), models.Inventory)

    return {
        "pet": created.to_dict(),
        "listed": [pet.name for pet in listed.data],
        "totalItems": listed.pagination.total_items,
        "nextPage": listed.links.next_,
        "found": [pet.medical_info.health_notes for pet in found.data],
        "missing": [missing.status, missing.title],
        "payment": paid.to_dict(),
        "sourceType": type(paid.source).__name__,
        "receipt": receipt.to_dict(),
        "order": delivered.to_dict(),
        "inventory": inventory.to_dict(),
    }


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    print(json.dumps(main(sys.argv[2], sys.argv[3])))
