import { openMessages, openPublisher, prepareTopics, readTopics, type KafkaConnection } from '../../../../libs/adapters/kafka/index.js';
import { contracts, TOPIC_PARTITIONS, topicsOf } from '../../../../libs/contracts/contracts.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import type { Documents } from '../../../../libs/eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import type { EventCodec } from '../../../../libs/eventsourcing/handle.js';
import type { MessagePointer, Messages } from '../../../../libs/eventsourcing/ports/messages.port.js';
import type { Publisher, TopicsState } from '../../../../libs/eventsourcing/ports/publisher.port.js';
import { RELAY } from '../../../../libs/runtime/relay/relay.js';
import type { Servers } from '../../../../libs/settings/settings.js';
import type { Log } from '../../logging/log.js';

/** Creates the clients of Kafka. */
export type Messaging = {
  openMessages(): Messages & { close(): Promise<void> };
  /** Opens a publisher. It fences earlier publishers, which can no longer publish. */
  openPublisher(): Promise<Publisher>;
  /** Returns the current end of each topic. */
  topicsNow(): Promise<TopicsState>;
};

type MessagingParts = {
  readonly store: EventStore;
  readonly codec: EventCodec;
  /** The documents, in which consumers store their checkpoints. */
  readonly projectionDocuments: Documents;
  readonly clock: Clock;
  readonly log: Log;
};

/** Creates the messaging on these brokers. It does not connect yet, so it also works while they are down. */
export const createMessaging = (
  servers: Servers,
  { store, codec, projectionDocuments: documents, clock, log }: MessagingParts,
): Messaging => {
  const connection = describeConnection(servers);
  const topics = topicsOf(contracts);
  const shape = { partitions: TOPIC_PARTITIONS, replicationFactor: servers.kafkaReplication };
  // Topics are created when the brokers are first used, so that a process can start while they are down.
  const prepare = retryOnNextCall(() => prepareTopics(connection, topics, shape, log));
  const waiting = readParkedMessages(store, codec);
  return {
    openMessages: () => openMessages({ connection, topics, prepare, groupPrefix: 'petstore.', documents, waiting, clock, log }),
    topicsNow: () => readTopics(connection, topics),
    openPublisher: () => prepare().then(() => openPublisher(connection, `petstore.${RELAY}`)),
  };
};

const describeConnection = ({ kafkaBrokers: brokers, namespace, kafkaTls: ssl, kafkaLogin: login }: Servers): KafkaConnection => ({
  brokers,
  namespace,
  clientId: `petstore/${process.pid}`,
  ssl,
  ...(login && { login }),
});

/**
 * Returns a function that runs `work` once. After a failure, the next call runs it again.
 */
const retryOnNextCall = (work: () => Promise<void>): (() => Promise<void>) => {
  let latest: Promise<void> | null = null;
  return () => {
    const current = (latest ??= work());
    current.catch(() => (latest = latest === current ? null : latest));
    return current;
  };
};

const PAGE = 500;

/** Returns a function that reads the waiting messages of a parked key from the log: a message points to an event. */
const readParkedMessages =
  (store: EventStore, codec: EventCodec) =>
  async (stream: string, from: number): Promise<readonly MessagePointer[]> => {
    const stored = await store.readStream(stream, from, PAGE);
    return stored.map((event) => {
      const { revision, type } = event;
      return { stream, revision, type, key: stream, tenant: codec.decode(event).meta.tenant };
    });
  };
