"""Hooks and two checks for schemathesis; SCHEMATHESIS_HOOKS names this file.

The checks replace `positive_data_acceptance` and `negative_data_rejection`: the service rejects a body that the schema
allows only by a rule of `rules.json`, and accepts `null` for an optional property, which is then absent."""

import json
import os
import re
from pathlib import Path
from urllib.parse import urlsplit

import schemathesis
from schemathesis.openapi.checks import RejectedPositiveData
from schemathesis.specs.openapi.checks import AcceptedNegativeData, negative_data_rejection, positive_data_acceptance

RULES = json.loads(Path(__file__).with_name("rules.json").read_text())
USED = Path(os.environ["FUZZ_RULES_USED"])
UNUSED_ADDRESS = "127.0.0.1:9"


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Removes the schemas of event streams. Schemathesis reads `[DONE]` as JSON, and an event without a name as one with
    the name `message`. The tests of the chat check each event."""
    for path in raw_schema["paths"].values():
        for operation in path.values():
            for response in operation.get("responses", {}).values() if isinstance(operation, dict) else ():
                if "text/event-stream" in response.get("content", {}):
                    response["content"]["text/event-stream"] = {}


@schemathesis.hook
def before_call(context, case, **kwargs):
    """Replaces the addresses of webhooks and callbacks by one of this machine without a server."""
    body = case.body
    for field in ("url", "callbackUrl"):
        if isinstance(body, dict) and isinstance(body.get(field), str) and is_http(body[field]):
            body[field] = f"http://{UNUSED_ADDRESS}/{len(body[field])}"
    # An entity tag is a text in quotes. Schemathesis parses it as JSON and sends it without the quotes.
    for name in ("If-Match", "If-None-Match"):
        tag = (case.headers or {}).get(name)
        if case.meta and case.meta.generation.mode.is_positive and tag is not None and '"' not in tag and tag != "*":
            case.headers[name] = f'"{tag}"'
    # The key is rejected in every body (contract 2.2), which a schema cannot say. Other bodies are not set again: a body with
    # a file that was set counts as invalid for schemathesis.
    if case.meta and case.meta.generation.mode.is_positive:
        body = without_prototype_keys(case.body)
        if body != case.body:
            case.body = body


def without_prototype_keys(value):
    if isinstance(value, dict):
        return {key: without_prototype_keys(member) for key, member in value.items() if key != "__proto__"}
    return [without_prototype_keys(member) for member in value] if isinstance(value, list) else value


def is_http(text):
    try:
        return urlsplit(text).scheme in ("http", "https") and bool(urlsplit(text).hostname)
    except ValueError:
        return False


@schemathesis.check
def rejected_by_a_listed_rule_only(ctx, response, case):
    try:
        return positive_data_acceptance(ctx, response, case)
    except RejectedPositiveData:
        names = rules_of(f"{case.method} {case.path}", *rejection_of(response.json()))
        if names is None:
            raise
        with USED.open("a") as used:
            used.write("".join(f"{name}\n" for name in names))
        return None


@schemathesis.check
def accepted_null_is_absent(ctx, response, case):
    try:
        return negative_data_rejection(ctx, response, case)
    except AcceptedNegativeData as failure:
        if not is_null_member(case.body, failure.message):
            raise
        with USED.open("a") as used:
            used.write("null-is-absent\n")
        return None


def is_null_member(body, message):
    """Returns whether the only fault of a body is a `null`: the message names that member, as one with a wrong type."""
    named = re.search(r"in body - (.+): Incorrect type$", message, re.MULTILINE)
    referred = re.search(r"in body - violates `\$ref` at ((?:/properties/[^/\s]+)+)$", message, re.MULTILINE)
    path = named[1].split(" -> ") if named else referred[1].split("/")[2::2] if referred else []
    for name in path:
        if not isinstance(body, dict) or name not in body:
            return False
        body = body[name]
    return bool(path) and body is None


def rejection_of(body):
    """Returns the kind of a rejection and its errors. Each interface has a form of its own: a problem, an error of the
    classic variant, whose message has the fields and no codes, and an error of OpenAI, which has the first field."""
    if "error" in body:
        error = body["error"]
        return error["code"], [{"field": error["param"], "code": error["code"]}] if error["param"] else []
    if "code" in body:
        parts = (part.split(": ", 1) for part in body["message"].split("; "))
        return body["type"], [{"field": part[0], "message": part[1]} for part in parts if len(part) == 2]
    return body["type"].rsplit("/", 1)[-1], body.get("errors", [])


def rules_of(operation, kind, errors):
    """Returns the names of the rules that explain a rejection; None if a rule is missing for one of its errors."""
    of_kind = [
        rule["name"]
        for rule in RULES
        if rule.get("kind") == kind and operation in rule.get("operations", [operation])
    ]
    if of_kind:
        return of_kind
    names = [rule_of(error) for error in errors]
    return names if names and None not in names else None


def rule_of(error):
    """Returns the name of the rule for a field with this code and message. Errors of the classic variant have no code."""
    for rule in RULES:
        if "field" in rule and re.match(rule["field"], error["field"]) and has_code_and_message(rule, error):
            return rule["name"]
    return None


def has_code_and_message(rule, error):
    if "code" in error and rule["code"] != error["code"]:
        return False
    if "message" in rule and "message" in error:
        return re.search(rule["message"], error["message"]) is not None
    return "code" in error
