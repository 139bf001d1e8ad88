import {
  addPartitions,
  checkTopics,
  openMessages,
  openPublisher,
  prepareTopics,
  readTopics,
  type KafkaConnection,
  type KafkaMessages,
  type TopicFinding,
} from '../../../../libs/adapters/kafka/index.js';
import { contracts, TOPIC_PARTITIONS, topicsOf } from '../../../../libs/contracts/contracts.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import type { Documents } from '../../../../libs/eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import type { EventCodec } from '../../../../libs/eventsourcing/event-codec.js';
import type { MessagePointer } from '../../../../libs/eventsourcing/ports/messages.port.js';
import type { Publisher, TopicsState } from '../../../../libs/eventsourcing/ports/publisher.port.js';
import type { Tracing } from '../../../../libs/eventsourcing/ports/tracing.port.js';
import { RELAY } from '../../../../libs/runtime/relay/relay.js';
import { readSpread, recordSpread } from '../../../../libs/runtime/relay/topic-spread.js';
import type { Servers } from '../../../../libs/settings/settings.js';
import type { Log } from '../../logging/log.js';
import { CommandError } from '../../errors/command-error.js';
import { tracePublisher } from '../observing/traced-publisher.js';
import type { DistributedSettings } from './open-servers.js';
import { contradictionsIn } from './watching/topic-watch.js';

/** Creates the clients of Kafka. */
export type Messaging = {
  openMessages(): KafkaMessages;
  /** Opens the publisher of the relay. Publishers that any process opened earlier with this function can no longer publish. */
  openPublisher(): Promise<Publisher>;
  /**
   * Opens a publisher that publishes past messages again. Publishers that were opened earlier with this function can no longer
   * publish. The publisher of the relay still can.
   */
  openReplayPublisher(): Promise<Publisher>;
  /** Returns the current end of each topic. */
  topicsNow(): Promise<TopicsState>;
  /**
   * Compares the topics with what is promised (contract 22.7). The first call that succeeds creates missing topics; later calls
   * report them. Rejects with StoreUnavailable.
   */
  checkTopics(): Promise<readonly TopicFinding[]>;
  /** Adds partitions to the topics that have fewer. Returns why the brokers refuse that, or null. */
  addPartitions(count: number): Promise<string | null>;
};

type MessagingDependencies = {
  readonly store: EventStore;
  readonly codec: EventCodec;
  /** The documents in which consumers store their parked keys. */
  readonly projectionDocuments: Documents;
  readonly clock: Clock;
  readonly log: Log;
  readonly tracing: Tracing | undefined;
};

/** Creates the clients of the brokers in `servers`. The clients do not connect yet, so the brokers may be down. */
export const createMessaging = (
  { servers, nodeEnv }: DistributedSettings,
  { store, codec, projectionDocuments: documents, clock, log, tracing }: MessagingDependencies,
): Messaging => {
  const connection = describeConnection(servers);
  const topics = topicsOf(contracts);
  const shape = { partitions: TOPIC_PARTITIONS, replicationFactor: servers.kafkaReplication };
  const names = { connection, names: topics };
  // Topics are created when the brokers are first used, so that a process can start while they are down.
  const create = retryOnNextCall(async () => {
    await prepareTopics(connection, topics, shape, (await readSpread(documents)).partitions);
    await recordSpread(documents, (await checkTopics(names, shape)).partitions);
  });
  const check = async (): Promise<readonly TopicFinding[]> => {
    await create();
    return (await checkTopics(names, shape, (await readSpread(documents)).partitions)).findings;
  };
  // In production, nothing is published or consumed while topics contradict the promise.
  const prepare = nodeEnv === 'production' ? retryOnNextCall(() => requirePromised(check)) : create;
  const openSpreadPublisher = async (name: string): Promise<Publisher> => {
    await prepare();
    return openPublisher(connection, name, (await readSpread(documents)).partitions);
  };
  const waiting = readParkedMessages(store, codec);
  return {
    openMessages: () => openMessages({ connection, topics, prepare, groupPrefix: 'petstore.', documents, waiting, clock, log }),
    topicsNow: () => readTopics(connection, topics),
    checkTopics: check,
    addPartitions: (count) => addPartitions(names, count),
    async openPublisher() {
      const publisher = await openSpreadPublisher(`petstore.${RELAY}`);
      return tracing ? tracePublisher(publisher, tracing) : publisher;
    },
    openReplayPublisher: () => openSpreadPublisher('petstore.replay'),
  };
};

/**
 * Compares the settings of the topics with what is promised, and creates no topic. Over how many partitions keys are spread is not compared.
 * Rejects with StoreUnavailable.
 */
export const inspectTopics = async ({ servers }: Pick<DistributedSettings, 'servers'>): Promise<readonly TopicFinding[]> => {
  const shape = { partitions: TOPIC_PARTITIONS, replicationFactor: servers.kafkaReplication };
  return (await checkTopics({ connection: describeConnection(servers), names: topicsOf(contracts) }, shape)).findings;
};

const requirePromised = async (check: () => Promise<readonly TopicFinding[]>): Promise<void> => {
  const reason = contradictionsIn(await check());
  if (reason !== null) throw new CommandError(reason);
};

const describeConnection = ({ kafkaBrokers: brokers, namespace, kafkaTls: ssl, kafkaLogin: login }: Servers): KafkaConnection => ({
  brokers,
  namespace,
  clientId: `petstore/${process.pid}`,
  ssl,
  ...(login && { login }),
});

/** Returns a function that runs `work` once and returns its promise to all callers. After a failure, the next call retries. */
const retryOnNextCall = (work: () => Promise<void>): (() => Promise<void>) => {
  let latest: Promise<void> | null = null;
  return () => {
    const current = (latest ??= work());
    // Forgets the failed run, but keeps a newer run that another call may have started.
    current.catch(() => (latest = latest === current ? null : latest));
    return current;
  };
};

/** The maximum number of messages that one call returns. */
const PAGE = 500;

/**
 * Returns a function that reads a page of the waiting messages of a parked key. The function reads the log instead of Kafka:
 * the key is the name of a stream, and each message only points to an event of that stream.
 */
export const readParkedMessages =
  (store: EventStore, codec: EventCodec) =>
  async (stream: string, from: number): Promise<readonly MessagePointer[]> => {
    const stored = await store.readStream(stream, from, PAGE);
    return stored.map((event) => {
      const { revision, type } = event;
      return { stream, revision, type, key: stream, tenant: codec.decode(event).meta.tenant };
    });
  };
