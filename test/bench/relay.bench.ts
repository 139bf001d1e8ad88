import { Kafka, logLevel, type Message as KafkaRecord } from 'kafkajs';
import { openPublisher, prepareTopics } from '../../libs/adapters/kafka/index.js';
import { recordOf } from '../../libs/adapters/kafka/records.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import { RELAY_INTERVAL } from '../../apps/worker/distributed-profile.js';
import { startRelay } from '../../libs/runtime/relay/relay.js';
import { contracts, publicMessageMapper, topicsOf } from '../../libs/contracts/contracts.js';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../libs/eventsourcing/event-codec.js';
import { NO_FAULTS } from '../../libs/eventsourcing/history.js';
import type { PublicMessage } from '../../libs/eventsourcing/ports/publisher.port.js';
import type { BareComparison } from './bare-comparison.js';
import { median } from './load.js';

const BATCH = 500;
const ROUNDS = 5;

/**
 * Measures how fast the relay publishes a log to Kafka. Compares it with two programs that use kafkajs directly. One sends the
 * same records as the relay, and the other sends records whose values have 500 bytes.
 */
export const relayBench = async (brokers: string, events: readonly StoredEvent[], codec: ReadCodec): Promise<readonly BareComparison[]> => {
  const connection = { brokers: brokers.split(','), clientId: 'bench' };
  await prepareTopics(connection, [...topicsOf(contracts), 'bench'], { replicationFactor: 1 });
  const messageOf = publicMessageMapper(contracts);
  const messages = events.map((event) => messageOf(codec.decode(event))).filter((message): message is PublicMessage => message !== null);
  const kafka = new Kafka({ ...connection, logLevel: logLevel.NOTHING, retry: { initialRetryTime: 20 } });
  const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 });
  await producer.connect();
  const plain: KafkaRecord[] = messages.map(({ key }) => ({ key, value: 'x'.repeat(500) }));
  const rates: { ours: number[]; same: number[]; plain: number[] } = { ours: [], same: [], plain: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    const same = await perSecond(messages.length, () =>
      sendAll(
        producer,
        messages.map((message) => ({ topic: message.topic, record: message })),
      ),
    );
    const bare = await perSecond(plain.length, () => sendPlain(producer, plain));
    const ours = await perSecond(messages.length, () => relayAll(connection, events, codec, round));
    // The first round is a warm-up.
    if (round === 0) continue;
    rates.same.push(same);
    rates.plain.push(bare);
    rates.ours.push(ours);
  }
  await producer.disconnect();
  const ours = median(rates.ours);
  return [
    {
      name: 'relay to Kafka, messages/s',
      goal: 0.5,
      ours,
      bare: median(rates.same),
      bareProgram: 'kafkajs that sends the same records, 500 at a time',
    },
    {
      name: 'relay to Kafka, messages/s',
      goal: 0.5,
      ours,
      bare: median(rates.plain),
      bareProgram: 'kafkajs that sends plain values of 500 bytes, 500 at a time',
    },
  ];
};

type Producer = ReturnType<Kafka['producer']>;

const perSecond = async (count: number, work: () => Promise<void>): Promise<number> => {
  const begun = performance.now();
  await work();
  return (count / (performance.now() - begun)) * 1000;
};

const sendPlain = async (producer: Producer, records: readonly KafkaRecord[]): Promise<void> => {
  for (let from = 0; from < records.length; from += BATCH)
    await producer.send({ topic: 'bench', acks: -1, messages: records.slice(from, from + BATCH) });
};

/** Sends each batch of messages in one request of kafkajs, grouped by topic, as the relay does. */
const sendAll = async (
  producer: Producer,
  messages: readonly { readonly topic: string; readonly record: PublicMessage }[],
): Promise<void> => {
  for (let from = 0; from < messages.length; from += BATCH) {
    const byTopic = new Map<string, KafkaRecord[]>();
    for (const { topic, record } of messages.slice(from, from + BATCH))
      byTopic.set(topic, [...(byTopic.get(topic) ?? []), recordOf(record)]);
    await producer.sendBatch({ acks: -1, topicMessages: [...byTopic].map(([topic, messages]) => ({ topic, messages })) });
  }
};

const relayAll = async (
  connection: { readonly brokers: readonly string[]; readonly clientId: string },
  events: readonly StoredEvent[],
  codec: ReadCodec,
  round: number,
): Promise<void> => {
  const last = events.at(-1)?.position ?? 0;
  let done = (): void => undefined;
  const finished = new Promise<void>((resolve) => (done = resolve));
  // The timers of the relay do not keep the process alive, but this timer does.
  const awake = setInterval(() => undefined, 1_000);
  const lease = { name: 'relay', owner: 'bench', fence: round };
  const relay = startRelay({
    store: { readStream: async () => [], subscribe: (after) => inBatches(events.filter(({ position }) => position > after)) },
    codec,
    faults: NO_FAULTS,
    decisions: { current: () => ({}), onChange: () => () => undefined },
    onParked: (name, parked) => {
      throw new Error(`${name}: ${parked.reason}`);
    },
    messageOf: publicMessageMapper(contracts),
    openPublisher: () => openPublisher(connection, 'bench-relay'),
    topicsNow: async () => ({ cluster: 'bench', ends: {} }),
    consumerStates: async () => ({}),
    addPartitions: async () => null,
    documents: {
      prepare: async () => undefined,
      get: async () => null,
      texts: async () => [],
      checkpoint: async () => 0,
      // The relay has finished when its checkpoint is at the end of the log.
      apply: async (_, checkpoint) => {
        if (checkpoint && checkpoint.position >= last) done();
        return true;
      },
    },
    leases: { acquire: async () => lease, extend: async () => true, release: async () => undefined },
    owner: 'bench',
    clock: systemClock,
    interval: RELAY_INTERVAL,
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  });
  await finished;
  clearInterval(awake);
  await relay.stop();
};

const PAGE = 1_000;

async function* inBatches(events: readonly StoredEvent[]) {
  for (let from = 0; from < events.length; from += PAGE)
    yield { events: events.slice(from, from + PAGE), caughtUp: from + PAGE >= events.length };
}
