/** The configuration that the service promises for each topic (contract 22.7). New topics are created with it. */
export type TopicShape = {
  /** The partitions of a new topic. Default: 6. */
  readonly partitions?: number;
  /** The number of brokers that store each message. */
  readonly replicationFactor: number;
  /**
   * The number of replicas that must have a message before it is acknowledged. Default: one fewer than `replicationFactor`,
   * so that writes continue while one broker is down. But with 2 replicas the default is 2: writes stop while a broker is
   * down, and the loss of a broker loses no message. With 1 replica, the default is 1.
   */
  readonly minInSyncReplicas?: number;
  /** Retention of messages in milliseconds. Default: unlimited. */
  readonly retentionMilliseconds?: number;
};

/** The default number of partitions of a new topic (contract 22.7). */
export const PARTITIONS = 6;
/**
 * The maximum size of a message in bytes. A request body may have 1 MiB. The message about that request's event can be
 * longer, because JSON escapes characters and a message has headers.
 */
const MESSAGE_BYTES = 2_097_152;
/** Kafka's value for no limit. */
const UNLIMITED = -1;

/** Returns the default of min.insync.replicas for a replication factor. */
export const defaultMinInSync = (replicationFactor: number): number => Math.min(replicationFactor, Math.max(2, replicationFactor - 1));

/** Returns the settings of a topic by their names at the brokers. */
export const settingsOf = (shape: TopicShape): Readonly<Record<string, string>> => {
  const { replicationFactor, minInSyncReplicas = defaultMinInSync(replicationFactor), retentionMilliseconds = UNLIMITED } = shape;
  return {
    'cleanup.policy': 'delete',
    'retention.ms': String(retentionMilliseconds),
    'retention.bytes': String(UNLIMITED),
    'max.message.bytes': String(MESSAGE_BYTES),
    'min.insync.replicas': String(minInSyncReplicas),
  };
};

/** A topic as the brokers have it. Its name includes the namespace. */
export type TopicState = {
  readonly topic: string;
  /** The ids of the brokers that store each partition, by the number of the partition. */
  readonly replicas: readonly (readonly number[])[];
  /** Null if the user of the service may not read the settings. */
  readonly settings: Readonly<Record<string, string>> | null;
};

/** What the brokers have of the topics that the service uses. */
export type BrokersState = {
  /** The ids of all brokers. */
  readonly brokers: readonly number[];
  readonly topics: readonly TopicState[];
  /** The topics that do not exist. */
  readonly missing: readonly string[];
};

/** What is compared with the topics. */
export type TopicPromise = {
  readonly shape: TopicShape;
  /** The number of partitions over which the keys of a topic are spread. A topic without an entry is not compared. */
  readonly spread: Readonly<Record<string, number>>;
  /** Options that every command of Kafka needs to reach the brokers. */
  readonly connect: string;
};

/** A difference between a topic and its promise, with the command that corrects it. */
export type TopicFinding = {
  readonly topic: string;
  /** `contradiction`: messages can be lost or refused. `notice`: nothing is lost, but an operator should know. */
  readonly kind: 'contradiction' | 'notice';
  /** What is wrong and what corrects it, in one line. */
  readonly text: string;
};

/** Compares topics with what the service promises (contract 22.7). The result is empty if every topic keeps the promise. */
export const compareTopics = (state: BrokersState, promise: TopicPromise): readonly TopicFinding[] => [
  ...state.missing.map((topic) =>
    contradiction(topic, 'it does not exist', 'restart a worker, which creates it. If it had messages, run: petstore topics republish'),
  ),
  ...state.topics.flatMap((topic) => [
    ...compareSettings(topic, promise),
    ...compareReplicas(topic, state.brokers, promise),
    ...comparePartitions(topic, promise),
  ]),
];

const contradiction = (topic: string, problem: string, remedy: string): TopicFinding => ({
  topic,
  kind: 'contradiction',
  text: `topic ${topic}: ${problem}; ${remedy}`,
});

const notice = (topic: string, problem: string, remedy: string): TopicFinding => ({
  ...contradiction(topic, problem, remedy),
  kind: 'notice',
});

/** Which values of a setting keep the promise, and how the promise is said. Other settings must have the promised value. */
const AT_LEAST: Readonly<Record<string, string>> = {
  'max.message.bytes': 'but messages are longer',
  'min.insync.replicas': 'which decides how many brokers must store a message',
};
const BECAUSE: Readonly<Record<string, string>> = {
  'cleanup.policy': 'which deletes messages',
  'retention.ms': 'after which messages are deleted',
  'retention.bytes': 'beyond which messages are deleted',
  ...AT_LEAST,
};

const compareSettings = ({ topic, settings, replicas }: TopicState, { shape, connect }: TopicPromise): readonly TopicFinding[] => {
  const promised = settingsOf(shape);
  if (!settings) {
    const grant = `kafka-acls.sh ${connect} --add --allow-principal "User:$KAFKA_USERNAME" --operation DescribeConfigs --topic ${topic}`;
    return [notice(topic, 'its settings cannot be read, so they are not compared', `run: ${grant}`)];
  }
  const wrong = Object.entries(promised).filter(([name, value]) => !isKept(name, settings[name], value, replicas));
  if (wrong.length === 0) return [];
  const problem = wrong.map(([name, value]) => `${name} is ${settings[name]}, ${BECAUSE[name]}, instead of ${value}`).join('; ');
  // Brackets keep commas inside a value together, but none of the promised values has a comma.
  const changes = wrong.map(([name, value]) => `${name}=${value}`).join(',');
  const command = `kafka-configs.sh ${connect} --alter --entity-type topics --entity-name ${topic} --add-config ${changes}`;
  return [contradiction(topic, problem, `run: ${command}`)];
};

/** A setting that the brokers do not report has the default of a version that this service does not know. */
const isKept = (name: string, actual: string | undefined, promised: string, replicas: TopicState['replicas']): boolean => {
  if (actual === undefined || actual === promised) return true;
  if (!(name in AT_LEAST)) return false;
  // More brokers than a partition has would refuse every message.
  const most = name === 'min.insync.replicas' ? Math.min(...replicas.map((ids) => ids.length)) : Infinity;
  return Number(actual) >= Number(promised) && Number(actual) <= most;
};

const compareReplicas = ({ topic, replicas }: TopicState, brokers: readonly number[], promise: TopicPromise): readonly TopicFinding[] => {
  const { replicationFactor } = promise.shape;
  const fewest = Math.min(...replicas.map((ids) => ids.length));
  if (fewest >= replicationFactor) return [];
  const problem = `a partition is stored by ${fewest} of ${replicationFactor} brokers (KAFKA_REPLICATION)`;
  if (brokers.length < replicationFactor) {
    const more = replicationFactor - brokers.length;
    return [contradiction(topic, problem, `start ${more} more ${more === 1 ? 'broker' : 'brokers'}, or correct KAFKA_REPLICATION`)];
  }
  const partitions = replicas.map((ids, partition) => ({
    topic,
    partition,
    replicas: addReplicas(ids, brokers, replicationFactor, partition),
  }));
  const plan = JSON.stringify({ version: 1, partitions });
  const command = `kafka-reassign-partitions.sh ${promise.connect} --reassignment-json-file plan.json --execute`;
  return [contradiction(topic, problem, `run: echo '${plan}' >plan.json && ${command}`)];
};

/** Adds brokers to a partition, beginning with another broker for each partition. Keeps the brokers that it has. */
const addReplicas = (ids: readonly number[], brokers: readonly number[], wanted: number, partition: number): readonly number[] => {
  const others = brokers.filter((id) => !ids.includes(id));
  const from = others.length === 0 ? 0 : partition % others.length;
  return [...ids, ...others.slice(from), ...others.slice(0, from)].slice(0, Math.max(wanted, ids.length));
};

const comparePartitions = ({ topic, replicas }: TopicState, { spread, connect }: TopicPromise): readonly TopicFinding[] => {
  const [has, spreadOver] = [replicas.length, spread[topic]];
  if (spreadOver === undefined || has === spreadOver) return [];
  if (has > spreadOver)
    return [
      notice(
        topic,
        `it has ${countOf(has)}, but keys are spread over the first ${spreadOver}, so that they stay in order`,
        `to use all of them run: petstore topics spread --partitions ${has}`,
      ),
    ];
  const command = `kafka-topics.sh ${connect} --alter --topic ${topic} --partitions ${spreadOver}`;
  return [contradiction(topic, `it has ${countOf(has)}, but keys are spread over ${spreadOver}`, `run: ${command}`)];
};

const countOf = (partitions: number): string => `${partitions} ${partitions === 1 ? 'partition' : 'partitions'}`;
