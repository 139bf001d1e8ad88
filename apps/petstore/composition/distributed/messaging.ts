import { openMessages, openPublisher, prepareTopics, readTopics, type KafkaConnection } from '../../../../libs/adapters/kafka/index.js';
import { contracts, TOPIC_PARTITIONS, topicsOf } from '../../../../libs/contracts/contracts.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import type { Documents } from '../../../../libs/eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import type { EventCodec } from '../../../../libs/eventsourcing/handle.js';
import type { MessagePointer, Messages } from '../../../../libs/eventsourcing/ports/messages.port.js';
import type { Publisher, TopicsNow } from '../../../../libs/eventsourcing/ports/publisher.port.js';
import { RELAY } from '../../../../libs/runtime/relay/relay.js';
import type { Servers } from '../../../../libs/settings/settings.js';
import type { Log } from '../../logging/log.js';

/** What goes by way of Kafka, which need not be there yet. */
export type Messaging = {
  openMessages(): Messages & { close(): Promise<void> };
  /** Begins a publisher that fences every older one. */
  openPublisher(): Promise<Publisher>;
  /** Where the topics end now. */
  topicsNow(): Promise<TopicsNow>;
};

type MessagingParts = {
  readonly store: EventStore;
  readonly codec: EventCodec;
  /** Every version of a document as it is: where consumers keep how far they have come. */
  readonly building: Documents;
  readonly clock: Clock;
  readonly log: Log;
};

/** Messages by way of these brokers. */
export const createMessaging = (servers: Servers, { store, codec, building: documents, clock, log }: MessagingParts): Messaging => {
  const connection = describeConnection(servers);
  const topics = topicsOf(contracts);
  const shape = { partitions: TOPIC_PARTITIONS, replicationFactor: servers.kafkaReplication };
  // Created at the first use of the brokers: while one is down, what needs no broker starts all the same.
  const prepare = retryOnNextCall(() => prepareTopics(connection, topics, shape, log));
  const waiting = readParkedMessages(store, codec);
  return {
    openMessages: () => openMessages({ connection, topics, prepare, groupPrefix: 'petstore.', documents, waiting, clock, log }),
    topicsNow: () => readTopics(connection, topics),
    openPublisher: () => prepare().then(() => openPublisher(connection, `petstore.${RELAY}`)),
  };
};

const describeConnection = ({ kafkaBrokers: brokers, kafkaTls: ssl, kafkaLogin: login }: Servers): KafkaConnection => ({
  brokers,
  clientId: `petstore/${process.pid}`,
  ssl,
  ...(login && { login }),
});

/** Does something once it can be done: after a failure it is done again when it is asked for again, after that never more. */
const retryOnNextCall = (work: () => Promise<void>): (() => Promise<void>) => {
  let done: Promise<void> | null = null;
  return () => {
    const doing = (done ??= work());
    doing.catch(() => (done = done === doing ? null : done));
    return doing;
  };
};

const PAGE = 500;

/** What waits of a parked key is read from the log: a message is only a pointer to it. */
const readParkedMessages =
  (store: EventStore, codec: EventCodec) =>
  async (stream: string, from: number): Promise<readonly MessagePointer[]> => {
    const stored = await store.readStream(stream, from, PAGE);
    return stored.map((event) => {
      const { revision, type } = event;
      return { stream, revision, type, key: stream, tenant: codec.decode(event).meta.tenant };
    });
  };
