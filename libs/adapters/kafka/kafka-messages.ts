import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { Consumer, Messages, Subscription } from '../../eventsourcing/ports/messages.port.js';
import { connectTo, type KafkaConnection } from './connection.js';
import { GroupMember } from './consuming/group-member.js';
import { GroupOffsets } from './consuming/group-offsets.js';
import { parkedKeyDocuments, type ReadWaiting } from './consuming/parked-key-documents.js';
import { ParkedKeys } from '../../eventsourcing/consuming/parked-keys.js';
import { Pauses } from '../../eventsourcing/consuming/pauses.js';
import type { Log } from '../../eventsourcing/ports/log.port.js';

export type KafkaMessagesOptions = {
  readonly connection: KafkaConnection;
  /** The topics that messages come by. */
  readonly topics: readonly string[];
  /** Sees to it that the topics are there; asked before a group is joined, each time, and tried again with it. */
  readonly prepare?: () => Promise<void>;
  /** What the consumers' names are prefixed with to be groups of Kafka's, which other services use too. */
  readonly groupPrefix: string;
  /** Where the keys that wait are kept. */
  readonly documents: Documents;
  readonly waiting: ReadWaiting;
  readonly clock: Clock;
  readonly log: Log;
};

/** Messages by way of topics that a relay fills: a consumer's name is a consumer group, whose members share its partitions. */
export interface KafkaMessages extends Messages {
  /** Stops every subscription. */
  close(): Promise<void>;
}

/** Nothing is connected until someone subscribes. */
export const openMessages = (options: KafkaMessagesOptions): KafkaMessages => {
  const { connection, topics, prepare = () => Promise.resolve(), groupPrefix, documents, waiting, clock, log } = options;
  const kafka = connectTo(connection);
  const offsets = new GroupOffsets(kafka, topics);
  const members = new Set<GroupMember>();
  let asked: ReturnType<KafkaMessages['consumers']> | null = null;
  return {
    async subscribe(consumer: Consumer): Promise<Subscription> {
      const parkedKeys = new ParkedKeys(consumer.name, { store: parkedKeyDocuments(consumer.name, documents, waiting), clock, log });
      const groupId = groupPrefix + consumer.name;
      const member = new GroupMember(consumer, { kafka, groupId, topics, prepare, offsets, parkedKeys, pauses: new Pauses(clock), log });
      members.add(member);
      await member.start();
      return member;
    },
    // Asked again while the brokers have not answered yet, they are not asked once more.
    consumers: () => (asked ??= statesOf(members).finally(() => (asked = null))),
    async close() {
      await Promise.all([...members].map((member) => member.stop()));
      await offsets.close();
    },
  };
};

const statesOf = async (members: Iterable<GroupMember>): ReturnType<KafkaMessages['consumers']> => {
  const byName = new Map([...members].filter((member) => !member.isStopped()).map((member) => [member.consumer.name, member]));
  return Object.fromEntries(await Promise.all([...byName].map(async ([name, member]) => [name, await member.state()] as const)));
};
