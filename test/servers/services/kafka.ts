import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import kafkajs from 'kafkajs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { restWhenIdle } from '../../../libs/adapters/kafka/index.js';
import { ROOT } from '../program.js';
import { freePorts } from './free-ports.js';
import { install, startRealServer, type RealServer } from './real-server.js';

/** A Kafka of one's own, and how it is reached: by anybody, and over TLS by whoever knows the password. */
export type RunningKafka = RealServer & { readonly brokers: string; readonly guarded: string };

// Node finds none of the latter by name in kafkajs' CommonJS.
const { Kafka, logLevel, AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;

// A connection that is closed while an answer is on its way would keep its test process from ending.
restWhenIdle();

const CLUSTER = 'cGV0c3RvcmUtdGVzdC0xMA';

/** Who may come in where it is guarded, by every mechanism. */
export const LOGIN = { username: 'petstore', password: 'brokers-canary' };

const CERTIFICATES = join(ROOT, 'test', 'servers', 'services', 'certificates');
/** Who vouches for the brokers' certificate. */
export const BROKERS_AUTHORITY = join(CERTIFICATES, 'authority.pem');

/** As a properties file wants it. */
const inOneLine = (name: string): string => readFileSync(join(CERTIFICATES, name), 'utf8').replaceAll('\n', '\\n');

const guards = (): string => `
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

const known = (mechanism: string): readonly string[] => ['--add-scram', `${mechanism}=[name=${LOGIN.username},password=${LOGIN.password}]`];
const FORMAT = ['kafka.tools.StorageTool', 'format', '-t', CLUSTER, ...known('SCRAM-SHA-256'), ...known('SCRAM-SHA-512')];

/**
 * One process that is broker and controller; everything that is replicated elsewhere has one copy here. A broker that was killed
 * may come back once its session is over, so that is short.
 */
const settings = (folder: string, port: number): string => `
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${port + 1}
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${port + 1},GUARDED://127.0.0.1:${port + 2}
advertised.listeners=PLAINTEXT://127.0.0.1:${port},GUARDED://127.0.0.1:${port + 2}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,GUARDED:SASL_SSL
controller.listener.names=CONTROLLER
log.dirs=${join(folder, 'data')}
auto.create.topics.enable=false
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
${guards()}`;

/** What the store's own user may do, as the runbook says: nothing else. */
const ALLOWED = [
  [AclResourceTypes.TOPIC, [AclOperationTypes.CREATE, AclOperationTypes.READ, AclOperationTypes.WRITE]],
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

const answers = async (brokers: string): Promise<boolean> => {
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

/** The data that a broker begins with; made once and kept beside the libraries, since it takes half as long as the broker's own start. */
const firstData = async (libraries: string): Promise<string> => {
  const kept = `${libraries}-data-${createHash('sha256')
    .update(`${FORMAT.join(' ')}${settings('', 0)}`)
    .digest('hex')
    .slice(0, 12)}`;
  if (existsSync(kept)) return kept;
  const folder = mkdtempSync(`${kept}-`);
  const file = join(folder, 'kafka.properties');
  writeFileSync(file, settings(folder, 1));
  await promisify(execFile)('java', [...java(libraries), ...FORMAT, '-c', file]);
  try {
    renameSync(join(folder, 'data'), kept);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(kept)) throw error;
  }
  rmSync(folder, { recursive: true });
  return kept;
};

/** Starts a real Kafka with data of its own. Rejects with ServerMissing. */
export const startKafka = async (options: { readonly folder?: string } = {}): Promise<RunningKafka> => {
  const libraries = await install('kafka');
  const { folder = mkdtempSync(join(tmpdir(), 'petstore-kafka-')) } = options;
  mkdirSync(folder, { recursive: true });
  const port = await freePorts(3);
  const file = join(folder, 'kafka.properties');
  writeFileSync(file, settings(folder, port));
  cpSync(await firstData(libraries), join(folder, 'data'), { recursive: true });
  const brokers = `127.0.0.1:${port}`;
  const service = await startRealServer({
    folder,
    command: ['java', ...java(libraries), 'kafka.Kafka', file],
    isReady: () => answers(brokers),
  });
  await allowStore(brokers);
  return { ...service, brokers, guarded: `127.0.0.1:${port + 2}` };
};
