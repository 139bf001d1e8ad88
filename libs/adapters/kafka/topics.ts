import type { Admin } from 'kafkajs';
import { inNamespace } from '../../eventsourcing/ports/publisher.port.js';
import { connectTo, type KafkaConnection } from './connection.js';
import { hasErrorType, toStoreUnavailable } from './failures.js';
import { compareTopics, PARTITIONS, settingsOf, type BrokersState, type TopicFinding, type TopicShape } from './topic-settings.js';

/** Names of topics are without the namespace in this file's interface. */
type Topics = { readonly connection: KafkaConnection; readonly names: readonly string[] };

/**
 * Creates missing topics. Existing topics are not changed: `checkTopics` compares them. `spread` has the number of partitions
 * over which the keys of a topic are spread, if it is known. A topic that was lost is created with that number.
 */
export const prepareTopics = async (
  connection: KafkaConnection,
  names: readonly string[],
  shape: TopicShape,
  spread: Readonly<Record<string, number>> = {},
): Promise<void> =>
  withAdmin(connection, async (admin) => {
    const existing = new Set(await admin.listTopics());
    const { replicationFactor, partitions = PARTITIONS } = shape;
    const configEntries = Object.entries(settingsOf(shape)).map(([name, value]) => ({ name, value }));
    const missing = names
      .map((name) => ({ topic: fullName(connection, name), numPartitions: spread[name] ?? partitions, replicationFactor, configEntries }))
      .filter(({ topic }) => !existing.has(topic));
    if (missing.length === 0) return;
    // If another process has just created a topic, `createTopics` resolves with false. This is no failure.
    await admin.createTopics({ topics: missing, waitForLeaders: false });
    await untilHosted(
      admin,
      missing.map(({ topic }) => topic),
    );
  });

/** The errors of brokers that do not yet know a new topic, or its leaders. */
const NOT_YET = ['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE'] as const;

/** Milliseconds between two questions about new topics, and how many are asked: brokers have 10 s. */
const PAUSE = 100;
const QUESTIONS = 100;

/**
 * Waits until brokers know new topics and their leaders. The controller acknowledges a topic before the broker that is asked
 * next has read of it, and kafkajs, whose `waitForLeaders` expects only LEADER_NOT_AVAILABLE, would then reject.
 */
const untilHosted = async (admin: Admin, topics: string[]): Promise<void> => {
  for (let question = 1; ; question += 1) {
    try {
      await admin.fetchTopicMetadata({ topics });
      return;
    } catch (error) {
      if (question === QUESTIONS || !NOT_YET.some((type) => hasErrorType(error, type))) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
};

/** What `checkTopics` finds. */
export type TopicCheck = {
  /** The number of partitions of each existing topic. */
  readonly partitions: Readonly<Record<string, number>>;
  readonly findings: readonly TopicFinding[];
};

/** Compares the topics at the brokers with their promise. Rejects with StoreUnavailable. */
export const checkTopics = async (
  { connection, names }: Topics,
  shape: TopicShape,
  spread: Readonly<Record<string, number>> = {},
): Promise<TopicCheck> => {
  const state = await withAdmin(connection, (admin) =>
    readBrokers(
      admin,
      names.map((name) => fullName(connection, name)),
    ),
  );
  const byFullName = new Map(state.topics.map(({ topic, replicas }) => [topic, replicas.length]));
  const partitions = names.flatMap((name) => {
    const count = byFullName.get(fullName(connection, name));
    return count === undefined ? [] : [[name, count] as const];
  });
  const spreadByFullName = Object.fromEntries(Object.entries(spread).map(([name, count]) => [fullName(connection, name), count]));
  const findings = compareTopics(state, { shape, spread: spreadByFullName, connect: commandOptions(connection) });
  return { partitions: Object.fromEntries(partitions), findings };
};

/** The brokers' errors after which a retry of `addPartitions` would fail again. */
const REFUSALS = ['TOPIC_AUTHORIZATION_FAILED', 'CLUSTER_AUTHORIZATION_FAILED', 'INVALID_PARTITIONS', 'POLICY_VIOLATION'] as const;

/**
 * Adds partitions to the topics that have fewer than `count`. If the brokers refuse that, returns why and what to do, otherwise
 * null. Rejects with StoreUnavailable.
 */
export const addPartitions = ({ connection, names }: Topics, count: number): Promise<string | null> =>
  withAdmin(connection, async (admin) => {
    const { topics } = await readBrokers(
      admin,
      names.map((name) => fullName(connection, name)),
    );
    const short = topics.filter(({ replicas }) => replicas.length < count).map(({ topic }) => topic);
    if (short.length === 0) return null;
    try {
      await admin.createPartitions({ topicPartitions: short.map((topic) => ({ topic, count })) });
      return null;
    } catch (error) {
      const refusal = REFUSALS.find((type) => hasErrorType(error, type));
      if (!refusal) throw error;
      const commands = short.map((topic) => `kafka-topics.sh ${commandOptions(connection)} --alter --topic ${topic} --partitions ${count}`);
      return `the brokers refuse to add partitions (${refusal}); run as a user who may alter the topics, then spread again:\n${commands.join('\n')}`;
    }
  });

/** Kafka's number for the settings of a topic. Node cannot import the enum of kafkajs by its name. */
const TOPIC_RESOURCE = 2;

const fullName = ({ namespace = '' }: KafkaConnection, name: string): string => inNamespace(namespace, name);

/** Returns the options of Kafka's own commands. The shell of the operator has the addresses in KAFKA_BROKERS. */
export const commandOptions = ({ ssl, login }: Pick<KafkaConnection, 'ssl' | 'login'>): string =>
  `--bootstrap-server "$KAFKA_BROKERS"${ssl || login ? ' --command-config client.properties' : ''}`;

const withAdmin = async <T>(connection: KafkaConnection, work: (admin: Admin) => Promise<T>): Promise<T> => {
  const admin = connectTo(connection).admin();
  try {
    await admin.connect();
    return await work(admin);
  } catch (error) {
    throw toStoreUnavailable(error);
  } finally {
    await admin.disconnect();
  }
};

const readBrokers = async (admin: Admin, wanted: readonly string[]): Promise<BrokersState> => {
  const all = new Set(await admin.listTopics());
  const existing = wanted.filter((topic) => all.has(topic));
  const missing = wanted.filter((topic) => !all.has(topic));
  const { brokers } = await admin.describeCluster();
  // Without names, kafkajs would read all topics.
  const { topics } = existing.length > 0 ? await admin.fetchTopicMetadata({ topics: existing }) : { topics: [] };
  const settings = await readSettings(admin, existing);
  return {
    brokers: brokers.map(({ nodeId }) => nodeId),
    missing,
    topics: topics.map(({ name, partitions }) => ({
      topic: name,
      replicas: partitions.toSorted((one, other) => one.partitionId - other.partitionId).map(({ replicas }) => replicas),
      settings: settings?.get(name) ?? null,
    })),
  };
};

/** Returns the settings of topics by name. Null if the user may not read the settings of one of them. */
const readSettings = async (
  admin: Admin,
  topics: readonly string[],
): Promise<ReadonlyMap<string, Readonly<Record<string, string>>> | null> => {
  if (topics.length === 0) return new Map();
  try {
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: topics.map((name) => ({ type: TOPIC_RESOURCE, name })),
    });
    return new Map(
      resources.map(({ resourceName, configEntries }) => [
        resourceName,
        Object.fromEntries(configEntries.map(({ configName, configValue }) => [configName, configValue])),
      ]),
    );
  } catch (error) {
    if (hasErrorType(error, 'TOPIC_AUTHORIZATION_FAILED')) return null;
    throw error;
  }
};
