import type { Kafka } from 'kafkajs';
import { inNamespace } from '../../eventsourcing/ports/publisher.port.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { Consumer, ConsumerState, Messages, Subscription } from '../../eventsourcing/ports/messages.port.js';
import { connectTo, type KafkaConnection } from './connection.js';
import { GroupMember } from './consuming/group-member.js';
import { GroupOffsets } from './consuming/group-offsets.js';
import { parkedKeyDocuments, type ReadWaiting } from './consuming/parked-key-documents.js';
import { ParkedKeys } from '../../eventsourcing/consuming/parked-keys.js';
import { Pauses } from '../../eventsourcing/consuming/pauses.js';
import type { Log } from '../../eventsourcing/ports/log.port.js';

/** How messages are consumed. */
export type ConsumingOptions = {
  /** The topics to consume. */
  readonly topics: readonly string[];
  /** Creates missing topics. Called before each attempt to join a group. */
  readonly prepare?: () => Promise<void>;
  /** Returns the id of a consumer's group. */
  readonly groupOf: (consumer: string) => string;
  /** Stores the parked keys. */
  readonly documents: Documents;
  /** Reads the messages of a parked key that wait for its retry. */
  readonly waiting: ReadWaiting;
  readonly clock: Clock;
  readonly log: Log;
};

/** The topics are without the namespace. */
export type KafkaMessagesOptions = Omit<ConsumingOptions, 'groupOf'> & {
  readonly connection: KafkaConnection;
  /** The prefix of consumer group ids. Groups of other services at the same brokers have another prefix. */
  readonly groupPrefix: string;
};

/** Delivers the messages of topics. Each consumer has a consumer group, whose members share the partitions of the topics. */
export interface KafkaMessages extends Messages {
  /**
   * Returns the states of these consumers, also if no process consumes for them. Rejects with StoreUnavailable if their state
   * cannot be read.
   */
  statesOf(names: readonly string[]): Promise<Readonly<Record<string, ConsumerState>>>;
  /** Resolves when a broker responds. Rejects with StoreUnavailable if none does. */
  ping(): Promise<void>;
  /** Stops every subscription. */
  close(): Promise<void>;
}

/** The clients of the brokers with which messages are consumed. */
export type BrokerClients = {
  readonly kafka: Pick<Kafka, 'consumer'>;
  readonly offsets: Pick<GroupOffsets, 'lag' | 'committed' | 'ping' | 'close'>;
};

/** Creates the adapter of the Messages port. It connects to the brokers with the first subscription. */
export const openMessages = ({ connection, groupPrefix, ...options }: KafkaMessagesOptions): KafkaMessages => {
  const { namespace = '' } = connection;
  const topics = options.topics.map((topic) => inNamespace(namespace, topic));
  const groupOf = (name: string): string => inNamespace(namespace, groupPrefix + name);
  const kafka = connectTo(connection);
  return consumeWith({ kafka, offsets: new GroupOffsets(kafka, topics) }, { ...options, topics, groupOf });
};

/** Creates the adapter of the Messages port on clients that exist. */
export const consumeWith = ({ kafka, offsets }: BrokerClients, options: ConsumingOptions): KafkaMessages => {
  const { topics, prepare = () => Promise.resolve(), groupOf, documents, waiting, clock, log } = options;
  const parkedKeysOf = (name: string) => parkedKeyDocuments(name, documents, waiting);
  const members = new Set<GroupMember>();
  let pendingStates: ReturnType<KafkaMessages['consumers']> | null = null;
  return {
    async subscribe(consumer: Consumer): Promise<Subscription> {
      const parkedKeys = new ParkedKeys(consumer.name, { store: parkedKeysOf(consumer.name), clock, log });
      const own = { groupId: groupOf(consumer.name), parkedKeys, pauses: new Pauses(clock) };
      const member = new GroupMember(consumer, { ...own, kafka, topics, prepare, offsets, clock, log });
      members.add(member);
      await member.start();
      return member;
    },
    // Concurrent calls share one request to the brokers.
    consumers: () => (pendingStates ??= statesOf(members).finally(() => (pendingStates = null))),
    async statesOf(names) {
      const stateOf = async (name: string) => ({
        behind: (await offsets.lag(groupOf(name))).count,
        parked: await parkedKeysOf(name).count(),
      });
      return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await stateOf(name)] as const)));
    },
    ping: () => offsets.ping(),
    async close() {
      await Promise.all([...members].map((member) => member.stop()));
      await offsets.close();
    },
  };
};

/** Returns the state of each consumer by name. Members of one consumer have the same state, so only one of them is read. */
const statesOf = async (members: Iterable<GroupMember>): ReturnType<KafkaMessages['consumers']> => {
  const byName = new Map([...members].filter((member) => !member.isStopped()).map((member) => [member.consumer.name, member]));
  return Object.fromEntries(await Promise.all([...byName].map(async ([name, member]) => [name, await member.state()] as const)));
};
