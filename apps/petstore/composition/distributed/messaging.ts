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

/** The parts that use Kafka. They open also while Kafka is down. */
export type Messaging = {
  openMessages(): Messages & { close(): Promise<void> };
  /** Opens a publisher, which fences every older one. */
  openPublisher(): Promise<Publisher>;
  /** Returns the current end of each topic. */
  topicsNow(): Promise<TopicsState>;
};

type MessagingParts = {
  readonly store: EventStore;
  readonly codec: EventCodec;
  /** All versions of a document, as stored. Consumers keep their checkpoints here. */
  readonly projectionDocuments: Documents;
  readonly clock: Clock;
  readonly log: Log;
};

/** Creates the parts that use these brokers. */
export const createMessaging = (
  servers: Servers,
  { store, codec, projectionDocuments: documents, clock, log }: MessagingParts,
): Messaging => {
  const connection = describeConnection(servers);
  const topics = topicsOf(contracts);
  const shape = { partitions: TOPIC_PARTITIONS, replicationFactor: servers.kafkaReplication };
  // Topics are created at the first use of the brokers: while these are down, all other parts start.
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
 * Returns a function that runs `work` until it has succeeded once. The next call after a failure runs it
 * again.
 */
const retryOnNextCall = (work: () => Promise<void>): (() => Promise<void>) => {
  let done: Promise<void> | null = null;
  return () => {
    const doing = (done ??= work());
    doing.catch(() => (done = done === doing ? null : done));
    return doing;
  };
};

const PAGE = 500;

/** Reads the messages of a parked key from the log. A message is only a pointer into it. */
const readParkedMessages =
  (store: EventStore, codec: EventCodec) =>
  async (stream: string, from: number): Promise<readonly MessagePointer[]> => {
    const stored = await store.readStream(stream, from, PAGE);
    return stored.map((event) => {
      const { revision, type } = event;
      return { stream, revision, type, key: stream, tenant: codec.decode(event).meta.tenant };
    });
  };
