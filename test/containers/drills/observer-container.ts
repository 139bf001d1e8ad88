import { createInterface } from 'node:readline';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../servers/program.js';
import type { Observation } from './observation.js';
import { addresses, runToEnd, type Project } from './project.js';

/** A client for an observation in a separate container. It sends each command to the container's input as a line of JSON. */
export type Observer = Observation;

const HERE = join(ROOT, 'test', 'containers', 'drills');
const COMMAND = 'compiled/test/containers/drills/observer.js';
const ALIAS = 'drills';
const COMMANDS = [
  ...['connect', 'begin', 'finish', 'stop', 'now', 'counts', 'waitForAcknowledged', 'waitForRecovery', 'lastFailureAfter'],
  ...['stepDown', 'underReplicated', 'status', 'waitForOk', 'versions', 'markBackup', 'missing', 'webhooks', 'forget'],
] as readonly (keyof Observation)[];

/** Returns the environment of the observer: the URLs and secrets of the servers and APIs. */
const settingsOf = ({ variables }: Project): Readonly<Record<string, string>> => {
  const mongo = 'mongodb-1:27017,mongodb-2:27017,mongodb-3:27017';
  const of = (name: string): string => variables[name] ?? '';
  return {
    DRILLS_APIS: 'http://172.31.78.41:3000,http://172.31.78.42:3000',
    // While a container is being replaced, a lookup of its name may block a thread of Node's pool for seconds.
    UV_THREADPOOL_SIZE: '128',
    EVENTSTOREDB_URL: `esdb://admin:${of('EVENTSTOREDB_PASSWORD')}@eventstoredb:2113?tls=true&tlsCAFile=/etc/petstore/ca/ca.crt`,
    MONGODB_URL: `mongodb://petstore:${of('MONGODB_PASSWORD')}@${mongo}/petstore?replicaSet=rs0`,
    MONGODB_ROOT_URL: `mongodb://root:${of('MONGODB_ROOT_PASSWORD')}@${mongo}/admin?replicaSet=rs0`,
    KEY_ENCRYPTION_KEY: of('KEY_ENCRYPTION_KEY'),
    KAFKA_BROKERS: 'kafka-1:9092,kafka-2:9092,kafka-3:9092',
    NODE_EXTRA_CA_CERTS: '/etc/petstore/ca/ca.crt',
  };
};

/** Compiles the observer and its imports, because the build does not include this test code. Does not check the types. */
const compile = async (folder: string): Promise<void> => {
  const compiler = join(ROOT, 'node_modules', '.bin', 'tsc');
  const { code, stdout } = await runToEnd(compiler, ['-p', join(HERE, 'tsconfig.json'), '--outDir', folder, '--noCheck']);
  if (code !== 0) throw new Error(`the observer was not compiled: ${stdout}`);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
};

/** Starts the observer in the networks of the project. Its container is outside the project, so no step stops it. */
export const startObserver = async (project: Project, nodeImage: string): Promise<Observer> => {
  const name = `${project.name}-observer`;
  const compiled = join(project.deploy, '..', 'observer');
  await compile(compiled);
  const network = (of: string): string => `${project.name}_${of}`;
  const settings = Object.entries(settingsOf(project)).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
  const mounts = [
    ...['--volume', `${compiled}:/drills/compiled:ro`, '--volume', `${join(ROOT, 'node_modules')}:/drills/node_modules:ro`],
    ...['--volume', `${join(project.deploy, 'secrets', 'ca')}:/etc/petstore/ca:ro`],
    ...['--workdir', '/drills', '--network', network('servers'), '--network-alias', ALIAS],
  ];
  const hosts = [...addresses()].flatMap(([host, address]) => ['--add-host', `${host}:${address}`]);
  const limits = ['--memory', '2g', '--read-only', '--cap-drop', 'ALL'];
  await project.docker(
    'create',
    '--interactive',
    '--name',
    name,
    ...limits,
    ...hosts,
    ...mounts,
    ...settings,
    nodeImage,
    'node',
    '--no-warnings',
    COMMAND,
  );
  for (const other of ['clients', 'outside']) await project.docker('network', 'connect', '--alias', ALIAS, network(other), name);
  const socket = (await project.inside('sh', '-c', 'echo $DOCKER_HOST')).stdout.trim();
  const child = spawn('docker', ['--host', socket, 'start', '--attach', '--interactive', name], { stdio: ['pipe', 'pipe', 'inherit'] });
  const call = linesOf(child.stdin, createInterface({ input: child.stdout }));
  await call.ready;
  const commands = Object.fromEntries(COMMANDS.map((command) => [command, (argument: unknown) => call.send(command, argument)]));
  return {
    ...(commands as unknown as Observation),
    async close() {
      child.stdin.end();
      await project.docker('rm', '--force', name);
    },
  };
};

type HttpResponse = { readonly ready?: true; readonly id?: number; readonly result?: unknown; readonly error?: string };
type Pending = { readonly resolve: (result: unknown) => void; readonly reject: (error: Error) => void };

/** Returns `send`. It writes a command as a line, and resolves with the result from the line that responds to it. */
const linesOf = (input: NodeJS.WritableStream, output: ReturnType<typeof createInterface>) => {
  const pending = new Map<number, Pending>();
  let next = 0;
  const ready = new Promise<void>((resolve, reject) => {
    output.on('line', (text) => {
      const { ready: isReady, id = 0, result, error } = JSON.parse(text) as HttpResponse;
      if (isReady) return resolve();
      const waiting = pending.get(id);
      pending.delete(id);
      if (error === undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(`the observer: ${error}`));
    });
    output.once('close', () => {
      const ended = new Error('the observer has ended');
      reject(ended);
      for (const { reject: rejectCommand } of pending.values()) rejectCommand(ended);
    });
  });
  const send = (command: string, argument: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++next;
      pending.set(id, { resolve, reject });
      input.write(`${JSON.stringify({ id, command, argument })}\n`);
    });
  return { ready, send };
};
