import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { Kafka, logLevel } from 'kafkajs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from './free-ports.js';
import { install, startRealServer, type RealServer } from './real-server.js';

/** A Kafka of one's own, and how it is reached. */
export type RunningKafka = RealServer & { readonly brokers: string };

const CLUSTER = 'cGV0c3RvcmUtdGVzdC0xMA';

/**
 * One process that is broker and controller; everything that is replicated elsewhere has one copy here. A broker that was killed
 * may come back once its session is over, so that is short.
 */
const settings = (folder: string, port: number): string => `
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${port + 1}
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${port + 1}
advertised.listeners=PLAINTEXT://127.0.0.1:${port}
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
`;

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

/** Starts a real Kafka with data of its own. Rejects with ServerMissing. */
export const startKafka = async (options: { readonly folder?: string } = {}): Promise<RunningKafka> => {
  const libraries = await install('kafka');
  const { folder = mkdtempSync(join(tmpdir(), 'petstore-kafka-')) } = options;
  mkdirSync(folder, { recursive: true });
  const port = await freePorts(2);
  const file = join(folder, 'kafka.properties');
  writeFileSync(file, settings(folder, port));
  const java = ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Dlog4j2.level=INFO', '-cp', join(libraries, '*')];
  await promisify(execFile)('java', [...java, 'kafka.tools.StorageTool', 'format', '-t', CLUSTER, '-c', file]);
  const brokers = `127.0.0.1:${port}`;
  const service = await startRealServer({ folder, command: ['java', ...java, 'kafka.Kafka', file], isReady: () => answers(brokers) });
  return { ...service, brokers };
};
