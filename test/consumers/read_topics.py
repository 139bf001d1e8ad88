"""Reads the store's topics as anybody may who was given the AsyncAPI document and nothing else.

    read_topics.py BROKERS DOCUMENT COUNT

Reads every topic of the document from its beginning, until COUNT different events have come and nothing more is there, and says of
each message, as a line of JSON, what it is and where it differs from its schemas. Parsed by the packages `cloudevents` and
`jsonschema`, read by `kafka-python`.
"""

import json
import sys
from time import monotonic

from cloudevents.core.bindings.kafka import KafkaMessage, from_binary
from cloudevents.core.formats.json import JSONFormat
from jsonschema import Draft202012Validator
from kafka import KafkaConsumer, TopicPartition

GIVES_UP_AFTER = 15
"""Seconds without a message while some are missing."""


def faults_of(schema, value, of):
    validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    return [f"{of} {'/'.join(map(str, error.absolute_path))}: {error.message}" for error in validator.iter_errors(value)]


def read(record, messages):
    """A message as it is told, with what is wrong with it."""
    headers = dict(record.headers)
    event = from_binary(KafkaMessage(headers=headers, key=record.key, value=record.value), JSONFormat())
    declared = messages.get(event.get_type())
    if declared is None:
        faults = [f"the document knows no {event.get_type()}"]
    else:
        said = {name: value.decode() for name, value in headers.items()}
        faults = faults_of(declared["headers"], said, "headers") + faults_of(declared["payload"], event.get_data(), "data")
    attributes = {name: value if isinstance(value, str) else value.isoformat() for name, value in event.get_attributes().items()}
    return {
        "topic": record.topic,
        "key": record.key.decode(),
        "attributes": attributes,
        "data": json.dumps(event.get_data(), ensure_ascii=False, separators=(",", ":")),
        "faults": faults,
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
    heard = monotonic()
    while True:
        for records in consumer.poll(timeout_ms=200).values():
            for record in records:
                heard = monotonic()
                told = read(record, messages)
                seen.add(told["attributes"]["id"])
                print(json.dumps(told, ensure_ascii=False))
        ends = consumer.end_offsets(partitions)
        at_the_end = all(consumer.position(partition) >= ends[partition] for partition in partitions)
        if at_the_end and (len(seen) >= count or monotonic() - heard > GIVES_UP_AFTER):
            break
    consumer.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
