"""Verifies webhooks with the package standardwebhooks, and callbacks with the package cryptography.

Reads a JSON list of {"headers", "body", "secret" | "publicKey"} from standard input. Writes a JSON list of
"ok" or the error of each.
"""

import base64
import json
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from standardwebhooks.webhooks import Webhook, WebhookVerificationError


def verify_with_key(headers, body, public_key):
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key.removeprefix("whpk_")))
    message = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{body}".encode()
    for signature in headers["webhook-signature"].split(" "):
        version, _, value = signature.partition(",")
        if version == "v1a":
            key.verify(base64.b64decode(value), message)
            return "ok"
    return "no v1a signature"


def verify(delivery):
    headers, body = delivery["headers"], delivery["body"]
    try:
        if "publicKey" in delivery:
            return verify_with_key(headers, body, delivery["publicKey"])
        Webhook(delivery["secret"]).verify(body, headers)
        return "ok"
    except (WebhookVerificationError, InvalidSignature) as error:
        return f"{type(error).__name__}: {error}"


print(json.dumps([verify(delivery) for delivery in json.load(sys.stdin)]))
