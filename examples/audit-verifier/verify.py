"""Verifies an export of events, as docs/audit.md describes it. Needs `pip install cryptography`.

    python3 verify.py EXPORT KEYS

EXPORT is a folder, or the file that GET /v1/audit/exports/{id} returns. KEYS has the output of `petstore audit key`, which you keep elsewhere. Exits with 1 at the first fault.
"""

import base64, hashlib, json, re, sys
from collections import deque
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Fraction = type("Fraction", (str,), {"__doc__": "A number as it is written, because Python writes some differently."})


def canonical(value):
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
        return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    text = str(value) if isinstance(value, Fraction) else json.dumps(value, ensure_ascii=False)
    return re.sub("[\ud800-\udfff]", lambda lone: f"\\u{ord(lone[0]):04x}", text)


def parse(data):
    value = json.loads(data, parse_float=Fraction)
    check(canonical(value).encode() == data, f"not canonical JSON: {data[:60]}")
    return value


def check(is_right, fault):
    if not is_right:
        raise ValueError(fault)


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def encode(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def leaf_of(event):
    metadata, own = {**event["metadata"]}, event["metadata"]["hash"]
    del metadata["hash"]
    hashed = {name: event[name] for name in ("data", "id", "revision", "stream", "type")}
    hashed |= {"metadata": metadata, "schemaVersion": metadata["schemaVersion"]}
    check(encode(sha256(canonical(hashed).encode())) == own, f"event {event['number']} does not match its hash")
    return sha256(b"\0", canonical({"hash": own} | {name: event[name] for name in ("number", "revision", "stream")}).encode())


def root_of(first, end, leaves, nodes):
    """Returns the hash of the events after number `first` up to number `end`. Takes what it uses from both lists."""
    if not leaves or leaves[0][0] > end:
        return decode(nodes.popleft())
    if end - first == 1:
        return leaves.popleft()[1]
    middle = first + (1 << (end - first - 1).bit_length() - 1)
    return sha256(b"\1", root_of(first, middle, leaves, nodes), root_of(middle, end, leaves, nodes))


def is_whole_tenant(tenant, proof, leaves, base, cover):
    digest = lambda: encode(sha256(canonical({"count": count, "hash": encode(running), "tenant": tenant}).encode()))
    count, running = proof["count"], decode(proof["hash"])
    is_start = digest() in base["tenants"] if count else running == bytes(32)
    for leaf in [*map(decode, proof["leavesBefore"]), *leaves, *map(decode, proof["leavesAfter"])]:
        count, running = count + 1, sha256(running, leaf)
    return is_start and digest() in cover["tenants"]


def read(path):
    """Returns the bytes of the manifest and of the events. In a file, the manifest is the last line."""
    if path.is_dir():
        return Path(path, "manifest.json").read_bytes(), Path(path, "events.ndjson").read_bytes()
    data = path.read_bytes()
    end = data.rfind(b"\n", 0, -1) + 1
    return data[end:], data[:end]


def verify(path, keys):
    file, data = read(path)
    signed = parse(file.removesuffix(b"\n"))
    m, lines = signed["manifest"], [parse(line) for line in data.split(b"\n")[:-1]]
    check(file.endswith(b"\n") and encode(decode(signed["signature"])) == signed["signature"], "manifest.json")
    checkpoints = [one for one in (m["base"], m["cover"]) if one]
    for value, signature in [(m, signed["signature"]), *((one["checkpoint"], one["signature"]) for one in checkpoints)]:
        check(value["keyId"] in keys, f"the key {value['keyId']} is not in KEYS")
        keys[value["keyId"]].verify(decode(signature), canonical(value).encode())
        check(value["store"] == m["store"], "a checkpoint belongs to another store")
    check(m["version"] == "petstore-export/1" and encode(sha256(data)) == m["digest"], "events.ndjson has other bytes")

    start, end, before, after, proof = m["from"], m["to"], m["eventBefore"], m["eventAfter"], m["proof"]
    base, cover = m["base"]["checkpoint"] if m["base"] else {"size": 0, "tenants": []}, m["cover"]["checkpoint"]
    shown = [event for event in (before, *lines, after) if event]
    time = lambda event: event["metadata"]["time"]
    check(base["size"] <= cover["size"] and m["count"] == len(lines), "a number is wrong")
    check(not (m["base"] or before) if start is None else not m["base"] or base["time"] < start, "base")
    check(not after if end is None else cover["time"] >= end, "cover")
    check(start is None or (not before or time(before) < start) and all(time(one) >= start for one in lines[:1]), "from")
    check(end is None or (not after or time(after) >= end) and all(time(one) < end for one in lines[-1:]), "to")

    pairs, leaves = list(zip(shown, shown[1:])), [(event["number"], leaf_of(event)) for event in shown]
    if m["tenant"] is not None:
        check(all(event["metadata"]["tenant"] == m["tenant"] for event in shown), "an event of another tenant")
        check(all(one["number"] < other["number"] for one, other in pairs), "the order of events")
        check((before or not proof["leavesBefore"]) and (after or not proof["leavesAfter"]), "the ends of the range")
        return check(is_whole_tenant(m["tenant"], proof, [leaf for _, leaf in leaves], base, cover), "the events of the tenant")
    if m["stream"] is not None:
        check(all(event["stream"] == m["stream"] for event in shown), "an event of another stream")
        is_next = lambda one, other: other["metadata"]["previousHash"] == one["metadata"]["hash"]
        check(all(is_next(*pair) and pair[0]["revision"] + 1 == pair[1]["revision"] for pair in pairs), "a missing event")
    else:
        numbers = [base["size"]] * (not before) + [event["number"] for event in shown] + [cover["size"] + 1] * (not after)
        check(all(one + 1 == other for one, other in zip(numbers, numbers[1:])), "a missing event")
    leaves, nodes = deque(leaves), deque(proof["nodes"])
    check(encode(root_of(0, cover["size"], leaves, nodes)) == cover["root"] and not leaves and not nodes, "the tree")


try:
    path, key_file = map(Path, sys.argv[1:])
    given = json.loads(key_file.read_text(encoding="utf-8-sig"))["keys"]
    verify(path, {key["kid"]: Ed25519PublicKey.from_public_bytes(decode(key["x"])) for key in given})
    print("The export is whole.")
except Exception as fault:
    sys.exit(f"The export cannot be verified: {fault!r}")
