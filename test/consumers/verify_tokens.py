"""Verifies an ID token and an access token as a program with Authlib does. Arguments: issuer, client id, ID token, access token."""

import os
import sys

import requests
from authlib.oauth2.rfc9068 import JWTBearerTokenValidator
from authlib.oidc.core import CodeIDToken
from authlib.oidc.discovery import OpenIDProviderMetadata, get_well_known_url
from joserfc import jwt
from joserfc.jwk import KeySet

# The issuer of the test has http.
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"


def main(issuer, client_id, id_token, access_token):
    metadata = OpenIDProviderMetadata(requests.get(get_well_known_url(issuer, external=True), timeout=10).json())
    metadata.validate()
    keys = KeySet.import_key_set(requests.get(metadata["jwks_uri"], timeout=10).json())

    expected = {"iss": {"essential": True, "value": issuer}, "aud": {"essential": True, "value": client_id}}
    token = jwt.decode(id_token, keys, algorithms=["RS256"])
    claims = CodeIDToken(token.claims, token.header, options=expected)
    claims.validate()

    class Validator(JWTBearerTokenValidator):
        def get_jwks(self):
            return keys

    validator = Validator(issuer=issuer, resource_server="petstore")
    access = validator.authenticate_token(access_token)
    validator.validate_token(access, ["openid"], None)
    print(claims["sub"], access["sub"], sep="\n")


main(*sys.argv[1:])
