import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import kafkajs from 'kafkajs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stopIdlePolling } from '../../../libs/adapters/kafka/idle-connections.js';
import { ROOT } from '../program.js';
import { describeContainer, describeLocal, imageOf, startContainer, usesContainers, type ContainerServer } from './container.js';
import { freePorts } from './free-ports.js';
import { install, newFolder, startRealServer, type RealServer, type ServerOptions } from './real-server.js';

/** A running Kafka. The listener at `brokers` needs no authentication. The listener at `guarded` needs TLS and a password. */
export type RunningKafka = RealServer & {
  readonly brokers: string;
  readonly guarded: string;
  /** The server and its version. */
  readonly versions: string;
};

// kafkajs is CommonJS: Node cannot import these by name.
const { Kafka, logLevel, AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;

// Without this call, kafkajs keeps the test process alive after a connection has closed during a response.
stopIdlePolling();

const CLUSTER = 'cGV0c3RvcmUtdGVzdC0xMA';

/** The user of the guarded listener. The password is the same for every mechanism of authentication. */
export const LOGIN = { username: 'petstore', password: 'brokers-canary' };

const CERTIFICATES = join(ROOT, 'test', 'servers', 'services', 'certificates');
/** The authority that signed the brokers' certificate. */
export const BROKERS_AUTHORITY = join(CERTIFICATES, 'authority.pem');

/** Returns the text of a certificate file as one line, as a properties file needs it. */
const inOneLine = (name: string): string => readFileSync(join(CERTIFICATES, name), 'utf8').replaceAll('\n', '\\n');

const guardedProperties = (): string => `
ssl.keystore.type=PEM
ssl.keystore.certificate.chain=${inOneLine('broker.pem')}
ssl.keystore.key=${inOneLine('broker.key.pem')}
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512
listener.name.guarded.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required user_${LOGIN.username}="${LOGIN.password}";
listener.name.guarded.scram-sha-256.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.guarded.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
`;

const scramUser = (mechanism: string): readonly string[] => [
  '--add-scram',
  `${mechanism}=[name=${LOGIN.username},password=${LOGIN.password}]`,
];
const FORMAT = ['kafka.tools.StorageTool', 'format', '-t', CLUSTER, ...scramUser('SCRAM-SHA-256'), ...scramUser('SCRAM-SHA-512')];

/**
 * The properties of one process that is broker and controller, without replication. A killed broker can
 * return only after its session has expired, so the session is short.
 */
const settings = (folder: string, port: number, { host = '127.0.0.1', createsTopics = false } = {}): string => `
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${port + 1}
listeners=PLAINTEXT://${host}:${port},CONTROLLER://127.0.0.1:${port + 1},GUARDED://${host}:${port + 2}
advertised.listeners=PLAINTEXT://127.0.0.1:${port},GUARDED://127.0.0.1:${port + 2}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,GUARDED:SASL_SSL
controller.listener.names=CONTROLLER
log.dirs=${join(folder, 'data')}
auto.create.topics.enable=${createsTopics}
group.initial.rebalance.delay.ms=0
offsets.topic.num.partitions=3
transaction.state.log.num.partitions=3
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
broker.heartbeat.interval.ms=500
broker.session.timeout.ms=3000
${guardedProperties()}`;

/** The rights of the service's user, as in the runbook. */
const ALLOWED = [
  [AclResourceTypes.TOPIC, [AclOperationTypes.CREATE, AclOperationTypes.READ, AclOperationTypes.WRITE, AclOperationTypes.DESCRIBE_CONFIGS]],
  [AclResourceTypes.GROUP, [AclOperationTypes.READ]],
  [AclResourceTypes.TRANSACTIONAL_ID, [AclOperationTypes.WRITE]],
] as const;

const allowStore = async (brokers: string): Promise<void> => {
  const admin = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const acl = ALLOWED.flatMap(([resourceType, operations]) =>
    operations.map((operation) => ({
      resourceType,
      resourceName: 'petstore.',
      resourcePatternType: ResourcePatternTypes.PREFIXED,
      principal: `User:${LOGIN.username}`,
      host: '*',
      operation,
      permissionType: AclPermissionTypes.ALLOW,
    })),
  );
  await admin.createAcls({ acl });
  await admin.disconnect();
};

const isAvailable = async (brokers: string): Promise<boolean> => {
  const kafka = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING, connectionTimeout: 500, retry: { retries: 0 } });
  const admin = kafka.admin();
  try {
    await admin.connect();
    return (await admin.describeCluster()).brokers.length > 0;
  } catch {
    return false;
  } finally {
    await admin.disconnect();
  }
};

const java = (libraries: string): readonly string[] => [
  '-Xmx256m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-Dlog4j2.level=INFO',
  '-cp',
  join(libraries, '*'),
];

/** Returns the folder with the initial data of a broker. The folder is cached, because its creation is slow. */
const initialDataFolder = async (libraries: string): Promise<string> => {
  const cached = `${libraries}-data-${createHash('sha256')
    .update(`${FORMAT.join(' ')}${settings('', 0)}`)
    .digest('hex')
    .slice(0, 12)}`;
  if (existsSync(cached)) return cached;
  const folder = mkdtempSync(`${cached}-`);
  const file = join(folder, 'kafka.properties');
  writeFileSync(file, settings(folder, 1));
  await promisify(execFile)('java', [...java(libraries), ...FORMAT, '-c', file]);
  try {
    renameSync(join(folder, 'data'), cached);
  } catch (error) {
    // Another process may have created the cached folder in the meantime.
    if (!existsSync(cached)) throw error;
  }
  rmSync(folder, { recursive: true });
  return cached;
};

/** The number of ports of a Kafka: one for clients, one for the controller, and one for clients with TLS and a password. */
export const KAFKA_PORTS = 3;

/** Copies the initial data into a folder without data. An interrupted copy is removed and made again. */
const prepareData = async (folder: string, libraries: string): Promise<void> => {
  const data = join(folder, 'data');
  if (existsSync(data)) return;
  const copy = join(folder, 'data.part');
  rmSync(copy, { recursive: true, force: true });
  cpSync(await initialDataFolder(libraries), copy, { recursive: true });
  renameSync(copy, data);
};

/** `createsTopics`: a request for an unknown topic creates it, with the defaults of the broker. Only for local brokers. */
type KafkaOptions = ServerOptions & { readonly createsTopics?: boolean };

const startProcess = async (folder: string, port: number, { isKept, createsTopics }: KafkaOptions): Promise<ContainerServer> => {
  const libraries = await install('kafka');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'kafka.properties');
  writeFileSync(file, settings(folder, port, { ...(createsTopics && { createsTopics }) }));
  await prepareData(folder, libraries);
  const command = ['java', ...java(libraries), 'kafka.Kafka', file] as const;
  const service = await startRealServer({ folder, isKept, command, isReady: () => isAvailable(`127.0.0.1:${port}`) });
  return { ...service, log: async () => readFileSync(join(folder, 'log'), 'utf8') };
};

/** Starts a broker from the image, with the same properties as a local broker. A restart keeps the data of the first start. */
const startInContainer = async (folder: string, port: number): Promise<ContainerServer> => {
  const file = '/tmp/kafka.properties';
  const quote = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' ');
  const format = quote([...java('/opt/kafka/libs'), ...FORMAT, '--ignore-formatted', '-c', file]);
  return startContainer({
    image: imageOf('apache/kafka'),
    folder,
    ports: [port, port + 2],
    entrypoint: ['sh', '-c', `java ${format} && exec java ${quote([...java('/opt/kafka/libs'), 'kafka.Kafka', file])}`],
    file: { target: file, content: settings('/tmp/kafka', port, { host: '0.0.0.0' }) },
    isReady: () => isAvailable(`127.0.0.1:${port}`),
  });
};

/**
 * Starts a Kafka with its own data: in a container if `usesContainers`. Rejects with ServerMissing if Kafka cannot be
 * installed.
 */
export const startKafka = async (options: KafkaOptions = {}): Promise<RunningKafka> => {
  const { folder = newFolder('kafka'), port = await freePorts(KAFKA_PORTS) } = options;
  const inContainer = await usesContainers(options);
  const { log, ...service } = inContainer ? await startInContainer(folder, port) : await startProcess(folder, port, options);
  const brokers = `127.0.0.1:${port}`;
  await allowStore(brokers);
  // The version is read from the log, because no response to a client contains it.
  const [, version = 'of an unknown version'] = /Kafka version: (\S+)/.exec(await log()) ?? [];
  const versions = `Kafka ${version}, ${inContainer ? describeContainer('apache/kafka') : describeLocal()}`;
  return { ...service, brokers, guarded: `127.0.0.1:${port + 2}`, versions };
};
