"""Reads the topics of the store. It knows only the AsyncAPI document.

    read_topics.py BROKERS DOCUMENT COUNT

Reads every topic of the document from its beginning. Stops at the end of the topics, after COUNT different events.
Prints each message as a line of JSON, with its violations of the document's schemas.
"""

import json
import sys
from time import monotonic

from cloudevents.core.bindings.kafka import KafkaMessage, from_binary
from cloudevents.core.formats.json import JSONFormat
from jsonschema import Draft202012Validator
from kafka import KafkaConsumer, TopicPartition

GIVES_UP_AFTER = 15
"""Seconds without a message, while fewer than COUNT events were read."""


def violations_of(schema, value, of):
    validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    return [f"{of} {'/'.join(map(str, error.absolute_path))}: {error.message}" for error in validator.iter_errors(value)]


def read(record, messages):
    """Returns a message as it is printed, with its violations."""
    headers = dict(record.headers)
    event = from_binary(KafkaMessage(headers=headers, key=record.key, value=record.value), JSONFormat())
    declared = messages.get(event.get_type())
    if declared is None:
        violations = [f"the document does not declare {event.get_type()}"]
    else:
        texts = {name: value.decode() for name, value in headers.items()}
        violations = violations_of(declared["headers"], texts, "headers") + violations_of(declared["payload"], event.get_data(), "data")
    attributes = {name: value if isinstance(value, str) else value.isoformat() for name, value in event.get_attributes().items()}
    return {
        "topic": record.topic,
        "key": record.key.decode(),
        "attributes": attributes,
        "data": json.dumps(event.get_data(), ensure_ascii=False, separators=(",", ":")),
        "violations": violations,
    }


def main(brokers, document_path, count):
    with open(document_path, encoding="utf-8") as file:
        document = json.load(file)
    topics = [channel["address"] for channel in document["channels"].values() if "kafka" in channel.get("bindings", {})]
    schemas = {"components": {"schemas": document["components"]["schemas"]}}
    # A reference is resolved within the schema that contains it.
    messages = {
        message["name"]: {part: {**schemas, **message[part]} for part in ("headers", "payload")}
        for message in document["components"]["messages"].values()
    }
    consumer = KafkaConsumer(
        bootstrap_servers=brokers.split(","),
        isolation_level="read_committed",
        auto_offset_reset="earliest",
        enable_auto_commit=False,
        group_id=None,
    )
    partitions = [TopicPartition(topic, partition) for topic in topics for partition in consumer.partitions_for_topic(topic)]
    consumer.assign(partitions)
    consumer.seek_to_beginning()
    seen = set()
    last_record = monotonic()
    while True:
        for records in consumer.poll(timeout_ms=200).values():
            for record in records:
                last_record = monotonic()
                parsed = read(record, messages)
                seen.add(parsed["attributes"]["id"])
                print(json.dumps(parsed, ensure_ascii=False))
        ends = consumer.end_offsets(partitions)
        at_the_end = all(consumer.position(partition) >= ends[partition] for partition in partitions)
        if at_the_end and (len(seen) >= count or monotonic() - last_record > GIVES_UP_AFTER):
            break
    consumer.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
