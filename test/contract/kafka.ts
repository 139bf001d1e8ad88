import { randomUUID } from 'node:crypto';
import { Kafka, logLevel } from 'kafkajs';
import { connect, type Socket } from 'node:net';
import { append, event, openForTest, recordingLog, type OpenForTest } from '../../libs/adapters/sqlite/sqlite.fixtures.js';
import { openMessages, openPublisher, prepareTopics, type KafkaConnection } from '../../libs/adapters/kafka/index.js';
import type { KafkaMessages } from '../../libs/adapters/kafka/kafka-messages.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import type { Clock } from '../../libs/eventsourcing/ports/clock.port.js';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import { aggregateIdOf } from '../../libs/eventsourcing/message.js';
import type { MessagePointer } from '../../libs/eventsourcing/ports/messages.port.js';
import { inNamespace, type PublicMessage } from '../../libs/eventsourcing/ports/publisher.port.js';
import { eventually } from '../eventually.js';
import { newNamespace } from '../servers/new-namespace.js';
import type { MessagesUnderTest } from './messages.contract.js';
import { override } from '../../libs/eventsourcing/testing/override.js';

/** The addresses of brokers, `host:port`, separated by commas. */
export type Brokers = { readonly brokers: string };

/** Waits until new brokers have created their internal topics. Before that, no consumer group can be joined. */
const waitForGroups = async ({ brokers }: KafkaConnection): Promise<void> => {
  const admin = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await eventually('the brokers’ consumer groups', async () => (await admin.fetchOffsets({ groupId: 'none' })) !== null);
  await admin.disconnect();
};

/** Creates a new topic on real brokers. Returns the topic and the options of a connection, in `namespace` if it is given. */
export const topicForTest = async (
  { brokers }: Brokers,
  partitions = 6,
  namespace = '',
): Promise<{ readonly connection: KafkaConnection; readonly topic: string }> => {
  const connection = { brokers: brokers.split(','), clientId: 'contract', namespace };
  const topic = `contract.${randomUUID()}.v1`;
  await prepareTopics(connection, [topic], { partitions, replicationFactor: 1 });
  await waitForGroups(connection);
  return { connection, topic };
};

/** A network connection that a test interrupts and restores. */
export const breakableNetwork = () => {
  const sockets = new Set<Socket>();
  let down = false;
  const socketFactory: NonNullable<KafkaConnection['socketFactory']> = ({ host, port, onConnect }) => {
    // No server listens on port 1.
    const socket = connect({ host, port: down ? 1 : port }, onConnect);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  return {
    socketFactory,
    goDown(): void {
      down = true;
      for (const socket of sockets) socket.destroy(new Error('the network is gone'));
    },
    comeBack: (): void => void (down = false),
    openConnections: (): number => sockets.size,
  };
};

const joinWithoutPartitions = async ({ brokers, namespace = '' }: KafkaConnection, topic: string): Promise<() => Promise<void>> => {
  const kafka = new Kafka({ brokers: [...brokers], clientId: 'zzz', logLevel: logLevel.NOTHING });
  const consumer = kafka.consumer({ groupId: inNamespace(namespace, `${topic}.reader`), maxWaitTimeInMs: 50 });
  await consumer.connect();
  await consumer.subscribe({ topics: [inNamespace(namespace, topic)] });
  await consumer.run({ eachMessage: () => Promise.reject(new Error('there is nothing for this member')) });
  return () => consumer.disconnect();
};

const tenantOf = ({ metadata }: StoredEvent): string => (JSON.parse(metadata) as { tenant: string }).tenant;

export const pointerTo = (stored: StoredEvent): MessagePointer => {
  const { stream, revision, type } = stored;
  return { stream, revision, type, key: stream, tenant: tenantOf(stored) };
};

export const messageOf = (topic: string, stored: StoredEvent): PublicMessage => ({
  topic,
  key: aggregateIdOf(stored.stream),
  attributes: {
    specversion: '1.0',
    id: stored.id,
    type: 'test',
    source: '/test',
    subject: stored.stream,
    time: '2026-01-02T03:04:05.678Z',
    datacontenttype: 'application/json',
    tenantid: tenantOf(stored),
    sequence: String(stored.revision + 1),
    eventtype: stored.type,
  },
  data: stored.data,
});

export type KafkaMessagesUnderTest = MessagesUnderTest & {
  readonly connection: KafkaConnection;
  /** The full name of the topic. */
  readonly topic: string;
  readonly messages: KafkaMessages;
  readonly store: OpenForTest;
  /**
   * Adds a member without partitions to the group of the consumer `reader`. Its name sorts last, and partitions are assigned in
   * the order of member names. Returns a function that leaves the group.
   */
  readonly joinWithoutPartitions: () => Promise<() => Promise<void>>;
  /** Closes the publisher and opens a new one. Call it after the publisher has failed. */
  readonly reopenPublisher: () => Promise<void>;
};

/** The interval in milliseconds at which offsets are stored. */
const SHORT = 250;

/** Returns a clock on which delays up to SHORT pass in real time. Longer delays pass when the test advances the manual clock. */
const passShortDelays = (clock: Clock): Clock =>
  override(clock, {
    after: (milliseconds, work) => (milliseconds > SHORT ? clock : systemClock).after(milliseconds, work),
  });

/**
 * Messages on Kafka in a new namespace, with the log and the parked keys in memory. `given` appends events, and publishes them
 * as the relay does.
 */
export const kafkaMessagesUnderTest = async (
  brokers: Brokers,
  { partitions = 6, network = {} }: { partitions?: number; network?: Pick<KafkaConnection, 'socketFactory'> } = {},
): Promise<KafkaMessagesUnderTest> => {
  const store = await openForTest(':memory:');
  const log = recordingLog();
  const { connection, topic } = await topicForTest(brokers, partitions, newNamespace());
  let publisher = await openPublisher(connection, topic);
  const messages = openMessages({
    connection: { ...connection, ...network },
    topics: [topic],
    groupPrefix: `${topic}.`,
    documents: store.documents,
    waiting: async (key, from) => (await store.events.readStream(key, from, 100)).map(pointerTo),
    clock: passShortDelays(store.clock),
    log,
  });
  let published = 0;
  return {
    messages,
    connection,
    topic: inNamespace(connection.namespace ?? '', topic),
    store,
    clock: store.clock,
    lines: log.lines,
    async given(stream, types, tenant) {
      await append(store, stream, ...types.map((type) => event(type, null, tenant)));
      const added = await store.events.readAll(published, types.length);
      published += added.length;
      await publisher.publish(added.map((stored) => messageOf(topic, stored)));
    },
    joinWithoutPartitions: () => joinWithoutPartitions(connection, topic),
    async reopenPublisher() {
      await publisher.close();
      publisher = await openPublisher(connection, topic);
    },
    async close() {
      await messages.close();
      await publisher.close();
      await store.close();
    },
  };
};
