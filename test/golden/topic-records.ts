import { randomUUID } from 'node:crypto';
import kafkajs, { type Admin, type IHeaders } from 'kafkajs';
import { eventually } from '../eventually.js';

// kafkajs is CommonJS: Node cannot import these by name.
const { ConfigResourceTypes, Kafka, logLevel } = kafkajs;

type TopicRecord = {
  readonly offset: number;
  readonly timestamp: string;
  readonly key: string;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
};
type Partition = { readonly partition: number; readonly end: number; readonly records: readonly TopicRecord[] };
type Topic = { readonly configuration: Readonly<Record<string, string>>; readonly partitions: readonly Partition[] };
type GroupOffset = { readonly group: string; readonly topic: string; readonly partition: number; readonly offset: string };

/** The state of Kafka for a store: topics with records, and the offsets of the consumer groups. */
export type TopicState = { readonly topics: Readonly<Record<string, Topic>>; readonly offsets: readonly GroupOffset[] };

const PREFIX = 'petstore.';
/** The `configSource` of Kafka for a configuration that was set on the topic. */
const SET_ON_TOPIC = 1;

const connect = (brokers: string) => new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING });

/** Runs work with an admin connection. */
const withAdmin = async <T>(brokers: string, work: (admin: Admin) => Promise<T>): Promise<T> => {
  const admin = connect(brokers).admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
};

const ownTopics = async (admin: Admin): Promise<readonly string[]> =>
  (await admin.listTopics()).filter((topic) => topic.startsWith(PREFIX)).sort();

/** Returns the end offset of each partition, by topic and partition. */
const endsOf = async (admin: Admin): Promise<ReadonlyMap<string, number>> => {
  const ends = new Map<string, number>();
  for (const topic of await ownTopics(admin))
    for (const { partition, high } of await admin.fetchTopicOffsets(topic)) ends.set(`${topic} ${partition}`, Number(high));
  return ends;
};

const textsOf = (headers: IHeaders = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** Reads every record. The last offset of a partition is a transaction marker, so the last record has offset `end - 2`. */
const readRecords = async (brokers: string, ends: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, readonly TopicRecord[]>> => {
  const records = new Map<string, TopicRecord[]>();
  const consumer = connect(brokers).consumer({ groupId: `golden.${randomUUID()}`, maxWaitTimeInMs: 100 });
  await consumer.connect();
  try {
    await consumer.subscribe({ topics: [...new Set([...ends.keys()].map((place) => place.split(' ')[0] ?? ''))], fromBeginning: true });
    await consumer.run({
      eachMessage: async ({ topic, partition, message: { offset, timestamp, key, value, headers } }) => {
        const record = { offset: Number(offset), timestamp, key: String(key), value: String(value), headers: textsOf(headers) };
        records.set(`${topic} ${partition}`, [...(records.get(`${topic} ${partition}`) ?? []), record]);
      },
    });
    const isComplete = ([place, end]: readonly [string, number]): boolean => end === 0 || records.get(place)?.at(-1)?.offset === end - 2;
    await eventually('every record', () => [...ends].every(isComplete));
    return records;
  } finally {
    await consumer.disconnect();
  }
};

const configurationOf = async (admin: Admin, topic: string): Promise<Topic['configuration']> => {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: ConfigResourceTypes.TOPIC, name: topic }],
  });
  const entries = resources
    .flatMap(({ configEntries }) => configEntries)
    .filter(({ configSource }) => Number(configSource) === SET_ON_TOPIC);
  return Object.fromEntries(entries.map(({ configName, configValue }) => [configName, configValue]));
};

const groupOffsets = async (admin: Admin): Promise<readonly GroupOffset[]> => {
  const { groups } = await admin.listGroups();
  const own = groups.map(({ groupId }) => groupId).filter((group) => group.startsWith('petstore'));
  const offsets: GroupOffset[] = [];
  for (const group of own.sort())
    for (const { topic, partitions } of await admin.fetchOffsets({ groupId: group }))
      offsets.push(...partitions.map(({ partition, offset }) => ({ group, topic, partition, offset })));
  return offsets.filter(({ offset }) => offset !== '-1');
};

/** Reads the state of the topics. The service must not run. */
export const readTopicState = (brokers: string): Promise<TopicState> =>
  withAdmin(brokers, async (admin) => {
    const ends = await endsOf(admin);
    const records = await readRecords(brokers, ends);
    const topics: Record<string, Topic> = {};
    for (const topic of await ownTopics(admin)) {
      const places = [...ends].filter(([place]) => place.startsWith(`${topic} `));
      topics[topic] = {
        configuration: await configurationOf(admin, topic),
        partitions: places
          .map(([place, end]) => ({ partition: Number(place.split(' ')[1]), end, records: records.get(place) ?? [] }))
          .sort((one, other) => one.partition - other.partition),
      };
    }
    return { topics, offsets: await groupOffsets(admin) };
  });

/** Groups records by transaction. A transaction marker uses an offset, so the next transaction begins after a gap. */
const transactionsOf = (records: readonly TopicRecord[]): readonly (readonly TopicRecord[])[] => {
  const all: TopicRecord[][] = [];
  for (const [index, record] of records.entries()) {
    if (index === 0 || record.offset !== (records[index - 1]?.offset ?? 0) + 1) all.push([]);
    all.at(-1)?.push(record);
  }
  return all;
};

/** How kafkajs retries while the broker has not yet finished the previous transaction. The times are in milliseconds. */
const RETRY = { initialRetryTime: 20, maxRetryTime: 100, retries: 200 };

const writePartition = async (brokers: string, topic: string, { partition, records }: Partition): Promise<void> => {
  const transactionalId = `golden.${topic}.${partition}`;
  const producer = connect(brokers).producer({ transactionalId, idempotent: true, maxInFlightRequests: 1, retry: RETRY });
  await producer.connect();
  for (const together of transactionsOf(records)) {
    const transaction = await producer.transaction();
    await transaction.send({ topic, messages: together.map(({ offset: _offset, ...record }) => ({ ...record, partition })) });
    await transaction.commit();
  }
  await producer.disconnect();
};

const writeRecords = async (brokers: string, { topics }: TopicState): Promise<void> => {
  const filled = Object.entries(topics).flatMap(([topic, { partitions }]) => partitions.map((one) => [topic, one] as const));
  await Promise.all(filled.filter(([, { end }]) => end > 0).map(([topic, one]) => writePartition(brokers, topic, one)));
};

/**
 * Commits the offsets of all groups in one transaction, because kafkajs does not retry a commit of offsets while a previous
 * transaction ends. `setOffsets` of kafkajs would join each group, which takes five seconds for each partition.
 */
const writeOffsets = async (brokers: string, admin: Admin, { offsets }: TopicState): Promise<void> => {
  const producer = connect(brokers).producer({ transactionalId: 'golden.offsets', idempotent: true, maxInFlightRequests: 1, retry: RETRY });
  await producer.connect();
  const transaction = await producer.transaction();
  for (const group of new Set(offsets.map((one) => one.group))) {
    // The first request makes Kafka create the topic of offsets. The commit must wait until Kafka has loaded the topic, because
    // kafkajs does not retry a commit that fails because the topic is not loaded.
    await eventually(`the coordinator of ${group}`, () => admin.fetchOffsets({ groupId: group }));
    const topics = offsets
      .filter((one) => one.group === group)
      .map(({ topic, partition, offset }) => ({ topic, partitions: [{ partition, offset }] }));
    await transaction.sendOffsets({ consumerGroupId: group, topics });
  }
  await transaction.commit();
  await producer.disconnect();
};

/** Restores the state on brokers without topics. Throws if a partition does not end at its former offset. */
export const restoreTopicState = (brokers: string, state: TopicState): Promise<void> =>
  withAdmin(brokers, async (admin) => {
    const topics = Object.entries(state.topics).map(([topic, { configuration, partitions }]) => ({
      topic,
      numPartitions: partitions.length,
      configEntries: Object.entries(configuration).map(([name, value]) => ({ name, value })),
    }));
    await admin.createTopics({ topics, waitForLeaders: true });
    await writeRecords(brokers, state);
    const ends = await endsOf(admin);
    for (const [topic, { partitions }] of Object.entries(state.topics))
      for (const { partition, end } of partitions)
        if (ends.get(`${topic} ${partition}`) !== end)
          throw new Error(`${topic}/${partition} ends at ${ends.get(`${topic} ${partition}`)}, not at ${end}`);
    await writeOffsets(brokers, admin, state);
  });
