"""Feeds messages to the subscriber in Python, and prints its report.

    feed_subscriber.py FILE
    feed_subscriber.py FILE KEYS TOPIC...

FILE has a line of JSON for each message: topic, key, sequence and id. With KEYS, the output of `petstore audit key`, they
also have tenant, time, and the data of a count or null. The report then begins with that of the counts of the topics.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "subscriber"))
sys.dont_write_bytecode = True

from subscriber import DayCounts, GapFinder, format_report  # noqa: E402

file_name, *keys_and_topics = sys.argv[1:]
counts = DayCounts(Path(keys_and_topics[0]).read_text("utf-8")) if keys_and_topics else None
found = GapFinder()
with open(file_name, encoding="utf-8") as file:
    for line in file:
        message = json.loads(line)
        is_new = found.add(message["topic"], message["key"], message["sequence"], message["id"])
        if counts and is_new:
            counts.add_message(message["topic"], message["tenant"], message["time"])
            if message["data"] is not None:
                counts.add_count(message["data"])
if counts:
    is_complete, lines = counts.report(keys_and_topics[1:])
    sys.stdout.writelines(f"{line}\n" for line in [*lines, is_complete])
sys.stdout.write(format_report(found))
