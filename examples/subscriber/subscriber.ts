/**
 * Reads topics from their beginning, and names the messages that are missing or that came twice.
 *
 *     KAFKA_BROKERS=127.0.0.1:9092 npm run example:subscriber -- petstore.orders.v1 petstore.pets.v1
 *
 * It ends once no message has arrived for WAIT seconds (5). The exit code is 1 if messages are missing, and 2 if a topic
 * or the broker is missing. With KEYS, the file with the output of `petstore audit key`, it also reads the signed counts
 * of petstore.checkpoints.v1, and names each day with too few messages.
 */
import { createPublicKey, randomUUID, verify, type JsonWebKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Kafka, logLevel, type IHeaders } from 'kafkajs';

/**
 * What identifies a message. `sequence` numbers the messages of its key: 1, 2, 3. `isReplay` if operators published it
 * again on purpose.
 */
export type Received = {
  readonly topic: string;
  readonly key: string;
  readonly sequence: number;
  readonly id: string;
  readonly isReplay?: boolean;
};

/** The sequences of a key that are missing, `from` and `to` included. */
export type Gap = { readonly topic: string; readonly key: string; readonly from: number; readonly to: number };

type KeyState = { readonly topic: string; readonly key: string; end: number; readonly missing: Set<number> };

/**
 * Finds gaps and doubles. It keeps one number for each key, and the numbers that are missing, so it does not grow with
 * the number of messages. It cannot know that the last messages of a key are missing: only DayCounts can.
 */
export class GapFinder {
  /** The number of different messages. */
  count = 0;
  /** The messages that came again. */
  readonly doubles: Received[] = [];
  private readonly keys = new Map<string, KeyState>();

  /** Adds a message in the order of its arrival. Returns whether it is new: a subscriber handles only new messages. */
  add(message: Received): boolean {
    const { topic, key, sequence } = message;
    const name = JSON.stringify([topic, key]);
    const state = this.keys.get(name) ?? { topic, key, end: 0, missing: new Set() };
    this.keys.set(name, state);
    for (let skipped = state.end + 1; skipped < sequence; skipped++) state.missing.add(skipped);
    const isNew = sequence > state.end || state.missing.delete(sequence);
    state.end = Math.max(state.end, sequence);
    if (isNew) this.count++;
    else if (!message.isReplay) this.doubles.push(message);
    return isNew;
  }

  /** Returns the messages that are missing now. A message that arrives late or by a replay fills its gap. */
  gaps(): readonly Gap[] {
    return [...this.keys.values()].filter(isNumberedWithoutGaps).flatMap(({ topic, key, missing }) => {
      const gaps: { topic: string; key: string; from: number; to: number }[] = [];
      for (const sequence of [...missing].sort((one, other) => one - other)) {
        const last = gaps.at(-1);
        if (last?.to === sequence - 1) last.to = sequence;
        else gaps.push({ topic, key, from: sequence, to: sequence });
      }
      return gaps;
    });
  }
}

/** Of accounts only some events are published, so the numbers of their messages have gaps. */
const isNumberedWithoutGaps = ({ topic }: { readonly topic: string }): boolean => !topic.endsWith('.users.v1');

/** The part of a message that a count is about. `topic` may have a namespace, and `time` is `ce_time`. */
export type Counted = { readonly topic: string; readonly tenant: string; readonly time: string };

type Count = {
  readonly version: string;
  readonly index: number;
  readonly part: number;
  readonly parts: number;
  readonly tenant: string;
  readonly day: string;
  readonly topics: readonly { readonly topic: string; readonly count: number }[];
  readonly keyId: string;
};

type Row = { readonly topic: string; readonly tenant: string; readonly day: string; received: number; stated: number };

/** Reads the public keys in the output of `petstore audit key`, which you keep elsewhere. */
export const readKeys = (text: string): ReadonlyMap<string, KeyObject> => {
  const { keys } = JSON.parse(text) as { readonly keys: readonly (JsonWebKey & { readonly kid: string })[] };
  return new Map(keys.map((key) => [key.kid, createPublicKey({ key, format: 'jwk' })]));
};

/**
 * Compares the number of different messages with the signed counts of the service, which docs/audit.md describes. They
 * also show that the last messages of a key are missing. It keeps two numbers for each topic, tenant and day.
 */
export class DayCounts {
  private readonly rows = new Map<string, Row>();
  private readonly counts = new Map<number, Count>();
  private readonly faults: string[] = [];

  private readonly keys: ReadonlyMap<string, KeyObject>;

  constructor(keys: ReadonlyMap<string, KeyObject>) {
    this.keys = keys;
  }

  /** Adds a message that was not received before. */
  addMessage({ topic, tenant, time }: Counted): void {
    this.row(withoutNamespace(topic), tenant, time.slice(0, 10)).received++;
  }

  /** Adds the data of a message of the type `petstore.checkpoint.messages-counted.v1`. */
  addCount(data: string): void {
    const { count, signature } = JSON.parse(data) as { readonly count: Count; readonly signature: string };
    const key = this.keys.get(count.keyId);
    const isGenuine = key && verify(null, Buffer.from(canonicalJson(count)), key, Buffer.from(signature, 'base64url'));
    if (!isGenuine || count.version !== 'petstore-count/1') {
      this.faults.push(`count ${count.index} is not signed by a known key`);
      return;
    }
    // The same count may come twice, as any message.
    if (this.counts.has(count.index)) return;
    this.counts.set(count.index, count);
    for (const { topic, count: stated } of count.topics) this.row(topic, count.tenant, count.day).stated += stated;
  }

  /** Returns whether nothing is missing, and the faults of the topics that were read, one for each line. */
  report(topics: readonly string[]): { readonly isComplete: boolean; readonly lines: readonly string[] } {
    const read = new Set(topics.map(withoutNamespace));
    const incomplete = [...this.rows.values()].filter((row) => read.has(row.topic) && row.received < row.stated);
    const found = [
      ...this.faults,
      ...this.missingCounts(),
      ...incomplete.map((row) => `incomplete ${row.topic} ${row.tenant} ${row.day}: ${row.received} of ${row.stated}`).sort(),
    ];
    if (found.length > 0) return { isComplete: false, lines: found };
    const last = [...this.counts.values()]
      .map(({ day }) => day)
      .sort()
      .at(-1);
    return { isComplete: true, lines: [last === undefined ? 'there is no count yet' : `complete up to ${last}`] };
  }

  /** Counts are numbered from 0 on, and the last one is the last of its set. */
  private missingCounts(): readonly string[] {
    const last = [...this.counts.values()].reduce<Count | null>((one, other) => (one && one.index > other.index ? one : other), null);
    if (!last) return [];
    const end = last.index + last.parts - last.part;
    return Array.from({ length: end + 1 }, (_, index) => index)
      .filter((index) => !this.counts.has(index))
      .map((index) => `count ${index} is missing`);
  }

  private row(topic: string, tenant: string, day: string): Row {
    const name = JSON.stringify([topic, tenant, day]);
    const row = this.rows.get(name) ?? { topic, tenant, day, received: 0, stated: 0 };
    this.rows.set(name, row);
    return row;
  }
}

/** `petstore.shop.orders.v1` is `petstore.orders.v1` in counts. */
const withoutNamespace = (topic: string): string => `petstore.${topic.split('.').slice(-2).join('.')}`;

/** Returns the JSON of RFC 8785 of a value whose texts are plain and whose numbers are whole, as in counts. */
const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
};

/** Returns one line for each gap and each double, and a line with the numbers of them. */
export const formatReport = (found: GapFinder): string => {
  const gaps = found.gaps();
  const missing = gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  return [
    ...gaps.map(({ topic, key, from, to }) => `missing ${topic} ${key} ${from === to ? from : `${from}-${to}`}`),
    ...found.doubles.map(({ topic, key, sequence, id }) => `double ${topic} ${key} ${sequence} ${id}`),
    `${found.count} messages, ${missing} missing, ${found.doubles.length} doubles`,
    '',
  ].join('\n');
};

/** Returns what identifies a message of Kafka. Headers are the attributes of CloudEvents. */
const receivedFrom = (topic: string, { key, headers }: { key: Buffer | null; headers?: IHeaders }): Received => ({
  topic,
  key: String(key),
  sequence: Number(headers?.['ce_sequence']),
  id: String(headers?.['ce_id']),
  isReplay: headers?.['ce_replayedat'] !== undefined,
});

const COUNT = 'petstore.checkpoint.messages-counted.v1';

type Reading = { readonly brokers: readonly string[]; readonly topics: readonly string[]; readonly waitMilliseconds: number };

/** What prevents reading. The message says what to do. */
class CannotRead extends Error {}

/**
 * Returns a client. Throws CannotRead if no broker answers or a topic does not exist. A subscriber never creates a topic: the
 * brokers' defaults may delete messages after some days. The workers of the store create the topics.
 */
const connect = async ({ brokers, topics }: Reading): Promise<Kafka> => {
  const kafka = new Kafka({ clientId: 'subscriber', brokers: [...brokers], logLevel: logLevel.NOTHING, retry: { retries: 3 } });
  const admin = kafka.admin();
  try {
    await admin.connect();
    const known = new Set(await admin.listTopics());
    const missing = topics.filter((topic) => !known.has(topic));
    if (missing.length === 0) return kafka;
    const [which, them] = missing.length === 1 ? ['this topic does', 'it'] : ['these topics do', 'them'];
    throw new CannotRead(
      `${which} not exist at ${brokers.join(',')}: ${missing.join(', ')}. Correct the name, or start the workers of the store, which create ${them}`,
    );
  } catch (error) {
    if (error instanceof CannotRead) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CannotRead(`no broker can be used at ${brokers.join(',')}: ${reason}. Start Kafka, or correct KAFKA_BROKERS`);
  } finally {
    await admin.disconnect();
  }
};

/** Reads topics from their beginning until no message has arrived for some time. Throws CannotRead. */
const readTopics = async (reading: Reading, counts?: DayCounts): Promise<GapFinder> => {
  const { topics, waitMilliseconds } = reading;
  const found = new GapFinder();
  const kafka = await connect(reading);
  // A name of its own, so that each run reads from the beginning. Only committed messages are read.
  const consumer = kafka.consumer({ groupId: `subscriber.${randomUUID()}`, readUncommitted: false, allowAutoTopicCreation: false });
  const joined = new Promise<void>((resolve) => void consumer.on(consumer.events.GROUP_JOIN, () => resolve()));
  let lastAt = 0;
  await consumer.connect();
  await consumer.subscribe({ topics: [...topics], fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachMessage: async ({ topic, message }) => {
      lastAt = Date.now();
      const { value, headers } = message;
      if (!found.add(receivedFrom(topic, message))) return;
      counts?.addMessage({ topic, tenant: String(headers?.['ce_tenantid']), time: String(headers?.['ce_time']) });
      if (String(headers?.['ce_type']) === COUNT) counts?.addCount(String(value));
    },
  });
  await joined;
  lastAt = Date.now();
  while (Date.now() - lastAt < waitMilliseconds) await new Promise((resolve) => setTimeout(resolve, 100));
  await consumer.disconnect();
  return found;
};

if (import.meta.main) {
  const { KAFKA_BROKERS = '127.0.0.1:9092', WAIT = '5', KEYS } = process.env;
  const topics = process.argv.slice(2);
  if (topics.length === 0 || !(Number(WAIT) > 0)) {
    console.error('Usage: KAFKA_BROKERS=host:port WAIT=seconds KEYS=file npm run example:subscriber -- TOPIC...');
    process.exit(2);
  }
  const counts = KEYS === undefined ? undefined : new DayCounts(readKeys(readFileSync(KEYS, 'utf8')));
  const reading = { brokers: KAFKA_BROKERS.split(','), topics, waitMilliseconds: Number(WAIT) * 1_000 };
  const found = await readTopics(reading, counts).catch((error: unknown) => {
    if (!(error instanceof CannotRead)) throw error;
    console.error(`subscriber: ${error.message}.`);
    process.exit(2);
  });
  const { isComplete, lines } = counts?.report(topics) ?? { isComplete: true, lines: [] };
  process.stdout.write([...lines, formatReport(found)].join('\n'));
  process.exitCode = isComplete && found.gaps().length === 0 ? 0 : 1;
}
