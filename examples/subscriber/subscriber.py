"""Reads topics from their beginning, and names the messages that are missing or that came twice.

    KAFKA_BROKERS=127.0.0.1:9092 python3 examples/subscriber/subscriber.py petstore.orders.v1 petstore.pets.v1

It needs the package kafka-python, version 3. The exit code is 1 if messages are missing, and 2 if a topic or the broker is
missing. With KEYS, the file with the output of `petstore audit key`, it also reads the signed counts of
petstore.checkpoints.v1, and names each day with too few messages. That needs the package cryptography.
"""

import base64
import json
import os
import sys

COUNT = "petstore.checkpoint.messages-counted.v1"


class GapFinder:
    """Finds gaps and doubles.

    It keeps one number for each key, and the numbers that are missing, so it does not grow with the number of
    messages. It cannot know that the last messages of a key are missing: only DayCounts can.
    """

    def __init__(self):
        self.count = 0
        self.doubles = []
        self._ends = {}
        self._missing = {}

    def add(self, topic, key, sequence, event_id, is_replay=False):
        """Adds a message in the order of its arrival. Returns whether it is new: a subscriber handles only new ones.

        `is_replay` if operators published it again on purpose.
        """
        end = self._ends.get((topic, key), 0)
        missing = self._missing.setdefault((topic, key), set())
        missing.update(range(end + 1, sequence))
        is_new = sequence > end or sequence in missing
        missing.discard(sequence)
        self._ends[topic, key] = max(end, sequence)
        if is_new:
            self.count += 1
        elif not is_replay:
            self.doubles.append((topic, key, sequence, event_id))
        return is_new

    def gaps(self):
        """Returns the messages that are missing now, as topic, key, first and last number."""
        gaps = []
        for (topic, key), missing in self._missing.items():
            # Of accounts only some events are published, so the numbers of their messages have gaps.
            if topic.endswith(".users.v1"):
                continue
            for sequence in sorted(missing):
                if gaps and gaps[-1][:2] == [topic, key] and gaps[-1][3] == sequence - 1:
                    gaps[-1][3] = sequence
                else:
                    gaps.append([topic, key, sequence, sequence])
        return gaps


def without_namespace(topic):
    """`petstore.shop.orders.v1` is `petstore.orders.v1` in counts."""
    return ".".join(["petstore", *topic.split(".")[-2:]])


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def canonical(value):
    """Returns the JSON of RFC 8785 of a value whose texts are plain and whose numbers are whole, as in counts."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


class DayCounts:
    """Compares the number of different messages with the signed counts of the service.

    docs/audit.md describes the counts. They also show that the last messages of a key are missing. It keeps two numbers
    for each topic, tenant and day. `keys` is the output of `petstore audit key`, which you keep elsewhere.
    """

    def __init__(self, keys):
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        self._keys = {key["kid"]: Ed25519PublicKey.from_public_bytes(decode(key["x"])) for key in json.loads(keys)["keys"]}
        self._counts = {}
        self._faults = []
        self._received = {}
        self._stated = {}

    def add_message(self, topic, tenant, time):
        """Adds a message that was not received before. `time` is `ce_time`."""
        row = (without_namespace(topic), tenant, time[:10])
        self._received[row] = self._received.get(row, 0) + 1

    def add_count(self, data):
        """Adds the data of a message of the type `petstore.checkpoint.messages-counted.v1`."""
        signed = json.loads(data)
        count = signed["count"]
        if not self._is_genuine(count, signed["signature"]):
            self._faults.append(f"count {count['index']} is not signed by a known key")
        # The same count may come twice, as any message.
        elif count["index"] not in self._counts:
            self._counts[count["index"]] = count
            for topic in count["topics"]:
                row = (topic["topic"], count["tenant"], count["day"])
                self._stated[row] = self._stated.get(row, 0) + topic["count"]

    def _is_genuine(self, count, signature):
        from cryptography.exceptions import InvalidSignature

        try:
            self._keys[count["keyId"]].verify(decode(signature), canonical(count))
        except (KeyError, ValueError, InvalidSignature):
            return False
        return count["version"] == "petstore-count/1"

    def report(self, topics):
        """Returns whether nothing is missing, and the faults of the topics that were read, one for each line."""
        read = {without_namespace(topic) for topic in topics}
        faults = self._faults + [f"count {index} is missing" for index in self._missing_counts()]
        for row, stated in sorted(self._stated.items()):
            received = self._received.get(row, 0)
            if row[0] in read and received < stated:
                faults.append(f"incomplete {' '.join(row)}: {received} of {stated}")
        if faults:
            return False, faults
        days = [count["day"] for count in self._counts.values()]
        return True, [f"complete up to {max(days)}" if days else "there is no count yet"]

    def _missing_counts(self):
        """Counts are numbered from 0 on, and the last one is the last of its set."""
        if not self._counts:
            return []
        last = self._counts[max(self._counts)]
        return [index for index in range(last["index"] + last["parts"] - last["part"] + 1) if index not in self._counts]


def format_report(found):
    """Returns one line for each gap and each double, and a line with the numbers of them."""
    gaps = found.gaps()
    lines = [f"missing {topic} {key} {first if first == last else f'{first}-{last}'}" for topic, key, first, last in gaps]
    lines += [f"double {topic} {key} {sequence} {event_id}" for topic, key, sequence, event_id in found.doubles]
    missing = sum(last - first + 1 for _, _, first, last in gaps)
    lines.append(f"{found.count} messages, {missing} missing, {len(found.doubles)} doubles")
    return "\n".join(lines) + "\n"


class CannotRead(Exception):
    """What prevents reading. The message says what to do."""


def connect(brokers, topics):
    """Returns a consumer. Raises CannotRead if no broker answers or a topic does not exist.

    A subscriber never creates a topic: the brokers' defaults may delete messages after some days. The workers of the
    store create the topics.
    """
    from kafka import KafkaConsumer
    from kafka.errors import KafkaError

    address = ",".join(brokers)
    try:
        consumer = KafkaConsumer(
            bootstrap_servers=brokers,
            group_id=None,
            enable_auto_commit=False,
            isolation_level="read_committed",
            allow_auto_create_topics=False,
        )
        missing = sorted(set(topics) - set(consumer.topics()))
    except KafkaError as error:
        reason = f"no broker can be used at {address}: {error}. Start Kafka, or correct KAFKA_BROKERS"
        raise CannotRead(reason) from error
    if missing:
        consumer.close()
        which, them = ("this topic does", "it") if len(missing) == 1 else ("these topics do", "them")
        raise CannotRead(
            f"{which} not exist at {address}: {', '.join(missing)}. Correct the name, or start the workers of the store, "
            f"which create {them}"
        )
    return consumer


def read_topics(brokers, topics, counts=None):
    """Reads topics from their beginning to the end that they have now. Only committed messages are read."""
    from kafka import TopicPartition

    found = GapFinder()
    consumer = connect(brokers, topics)
    partitions = [TopicPartition(topic, number) for topic in topics for number in consumer.partitions_for_topic(topic)]
    ends = consumer.end_offsets(partitions)
    consumer.assign(partitions)
    consumer.seek_to_beginning()
    while any(consumer.position(partition) < ends[partition] for partition in partitions):
        for records in consumer.poll(timeout_ms=200).values():
            for record in records:
                headers = dict(record.headers)
                sequence, is_replay = int(headers["ce_sequence"]), "ce_replayedat" in headers
                is_new = found.add(record.topic, record.key.decode(), sequence, headers["ce_id"].decode(), is_replay)
                if not is_new or counts is None:
                    continue
                counts.add_message(record.topic, headers["ce_tenantid"].decode(), headers["ce_time"].decode())
                if headers["ce_type"].decode() == COUNT:
                    counts.add_count(record.value)
    consumer.close()
    return found


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("Usage: KAFKA_BROKERS=host:port subscriber.py TOPIC...")
    day_counts, is_complete = None, True
    if "KEYS" in os.environ:
        with open(os.environ["KEYS"], encoding="utf-8") as file:
            day_counts = DayCounts(file.read())
    try:
        result = read_topics(os.environ.get("KAFKA_BROKERS", "127.0.0.1:9092").split(","), sys.argv[1:], day_counts)
    except CannotRead as error:
        print(f"subscriber: {error}.", file=sys.stderr)
        sys.exit(2)
    if day_counts:
        is_complete, lines = day_counts.report(sys.argv[1:])
        sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.write(format_report(result))
    sys.exit(1 if result.gaps() or not is_complete else 0)
