"""What schemathesis checks of the store beyond its own checks, which the positive one replaces: a body that the schema
allows is refused only by a rule of `rules.json`, by name. SCHEMATHESIS_HOOKS names this file."""

import json
import os
import re
from pathlib import Path
from urllib.parse import urlsplit

import schemathesis
from schemathesis.openapi.checks import RejectedPositiveData
from schemathesis.specs.openapi.checks import positive_data_acceptance

RULES = json.loads(Path(__file__).with_name("rules.json").read_text())
USED = Path(os.environ["FUZZ_RULES_USED"])
NOBODY = "127.0.0.1:9"


@schemathesis.hook
def before_call(context, case, **kwargs):
    """Webhooks and callbacks are sent to this machine alone, where nobody listens."""
    body = case.body
    for field in ("url", "callbackUrl"):
        if isinstance(body, dict) and isinstance(body.get(field), str) and is_http(body[field]):
            body[field] = f"http://{NOBODY}/{len(body[field])}"
    # An entity tag is a text in quotes, which schemathesis takes for JSON and sends without them.
    tag = (case.headers or {}).get("If-Match")
    if case.meta and case.meta.generation.mode.is_positive and tag is not None and '"' not in tag and tag != "*":
        case.headers["If-Match"] = f'"{tag}"'


def is_http(text):
    try:
        return urlsplit(text).scheme in ("http", "https") and bool(urlsplit(text).hostname)
    except ValueError:
        return False


@schemathesis.check
def refused_by_a_rule_only(ctx, response, case):
    try:
        return positive_data_acceptance(ctx, response, case)
    except RejectedPositiveData:
        names = rules_of(response.json())
        if names is None:
            raise
        with USED.open("a") as used:
            used.write("".join(f"{name}\n" for name in names))
        return None


def rules_of(problem):
    """The rules that explain a problem, or None where one of its errors is explained by none."""
    kind = problem["type"].rsplit("/", 1)[-1]
    of_kind = [rule["name"] for rule in RULES if rule.get("kind") == kind]
    if of_kind:
        return of_kind
    names = [rule_of(error) for error in problem.get("errors", [])]
    return names if names and None not in names else None


def rule_of(error):
    fitting = (rule for rule in RULES if "field" in rule and rule["code"] == error["code"])
    return next((rule["name"] for rule in fitting if re.match(rule["field"], error["field"])), None)
