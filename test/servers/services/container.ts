import { DEADLINES } from '../../deadlines.js';
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type * as testcontainers from 'testcontainers';
import { eventually } from '../../eventually.js';
import { readCompose } from '../../deploy/deploy-files.js';
import { ROOT } from '../program.js';
import { pidIn, ServerMissing, type RealServer, type ServerOptions } from './real-server.js';

const NODE = join(ROOT, 'node_modules', '.bin', 'node');
const REMOVE = join(ROOT, 'test', 'servers', 'services', 'remove-container.mjs');

/** Milliseconds. */
const STARTS_WITHIN = 90_000;
const STOPS_WITHIN_SECONDS = 30;

/** Whether servers should run in containers. `npm run test:containers` sets PETSTORE_TEST_SERVERS for this. */
const isWanted = (): boolean => process.env['PETSTORE_TEST_SERVERS'] === 'containers';

/** Loads testcontainers. Disables its helper containers, because it would pull their images. */
const load = async (): Promise<typeof testcontainers> => {
  process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';
  process.env['TESTCONTAINERS_HOST_OVERRIDE'] ??= '127.0.0.1';
  return import('testcontainers');
};

/** Rejects if no container engine responds. */
const getEngine = async (): Promise<testcontainers.ContainerRuntimeClient> => (await load()).getContainerRuntimeClient();

const isEngineThere = (): Promise<boolean> =>
  getEngine().then(
    () => true,
    () => false,
  );

/**
 * Returns whether a server runs in a container. It does if PETSTORE_TEST_SERVERS is `containers` and a container engine
 * responds. A server with `isKept`, whose data must remain, never runs in a container.
 */
export const usesContainers = async ({ isKept = false }: ServerOptions): Promise<boolean> =>
  isWanted() && !isKept && (await isEngineThere());

/** Describes where a server without a container runs. */
export const describeLocal = (): string => (isWanted() ? 'local, because no container engine responds' : 'local');

/** Returns the image that deploy/compose.yaml names, for example mongo:8.0.20 for mongo. */
export const imageOf = (name: string): string => {
  const found = Object.values(readCompose().services).find(({ image }) => image.startsWith(`${name}:`));
  if (!found) throw new Error(`deploy/compose.yaml names no image ${name}`);
  return found.image;
};

/** Describes where a server in a container of an image runs. */
export const describeContainer = (name: string): string => `container of ${imageOf(name)}`;

export type ContainerProgram = {
  readonly image: string;
  /** The folder for the process id of the running container. The folder is removed with the container. */
  readonly folder: string;
  /** Ports of the container. If an entry is a number, this machine uses the same port number. */
  readonly ports: readonly (number | { readonly container: number; readonly host: number })[];
  /** Replaces the image's own command. */
  readonly command?: readonly string[];
  /** Replaces the image's own entrypoint. */
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** A file to write into the container. */
  readonly file?: { readonly target: string; readonly content: string };
  /** Returns whether the server is ready. */
  readonly isReady: () => Promise<boolean>;
};

/** A server in a container. */
export type ContainerServer = RealServer & { /** Its output. */ readonly log: () => Promise<string> };

const LABEL = 'petstore.folder';

/**
 * Starts a helper process. When `remove` is called, or when this process has ended, the helper removes a folder and
 * the containers whose label names that folder. test/environment.js recognises the helper by the folder in its arguments.
 */
const launchRemoval = (folder: string): { readonly remove: () => Promise<void> } => {
  const child = spawn(NODE, [REMOVE, LABEL, folder], { env: process.env, stdio: ['pipe', 'ignore', 'inherit'], detached: true });
  child.unref();
  (child.stdin as Socket).unref();
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    async remove() {
      child.ref();
      child.stdin.end();
      const code = await ended;
      if (code !== 0) throw new Error(`the container of ${folder} was not removed: exit code ${code}`);
    },
  };
};

const create = async ({ image, folder, ports, command, entrypoint, environment = {}, file }: ContainerProgram) => {
  const { GenericContainer, ImageName, PullPolicy, Wait } = await load();
  const { image: images } = await getEngine();
  if (!(await images.exists(ImageName.fromString(image)))) throw new ServerMissing(`the image ${image} is missing`);
  const container = new GenericContainer(image)
    .withPullPolicy(PullPolicy.neverPull())
    .withAutoCleanup(false)
    .withLabels({ [LABEL]: folder })
    .withExposedPorts(...ports.map((port) => (typeof port === 'number' ? { container: port, host: port } : port)))
    .withEnvironment({ ...environment })
    .withWaitStrategy(Wait.forListeningPorts())
    .withStartupTimeout(STARTS_WITHIN);
  if (command) container.withCommand([...command]);
  if (entrypoint) container.withEntrypoint([...entrypoint]);
  if (file) container.withCopyContentToContainer([file]);
  return container;
};

/** Starts a container. Rejects with ServerMissing if the image is not on this machine, because tests pull no images. */
export const startContainer = async (program: ContainerProgram): Promise<ContainerServer> => {
  const { folder, isReady } = program;
  const container = await create(program);
  mkdirSync(folder, { recursive: true });
  const { remove } = launchRemoval(folder);
  try {
    const started = await container.start();
    const running = (await getEngine()).container.getById(started.getId());
    const waitUntilReady = async (): Promise<void> => {
      await eventually(`the container in ${folder}`, isReady, DEADLINES.slow);
      writeFileSync(join(folder, 'pid'), String((await running.inspect()).State.Pid));
    };
    await waitUntilReady();
    return { ...controlsOf(running, folder), restart: () => running.start().then(waitUntilReady), close: remove };
  } catch (error) {
    await remove();
    throw error;
  }
};

type Container = ReturnType<testcontainers.ContainerRuntimeClient['container']['getById']>;

const controlsOf = (running: Container, folder: string): Omit<ContainerServer, 'restart' | 'close'> => {
  const waitUntilEnded = async (): Promise<number> => ((await running.wait()) as { StatusCode: number }).StatusCode;
  const end = async (ending: Promise<unknown>): Promise<void> => {
    await ending;
    await waitUntilEnded();
    rmSync(join(folder, 'pid'), { force: true });
  };
  return {
    kill: () => end(running.kill({ signal: 'SIGKILL' })),
    stop: () => end(running.stop({ t: STOPS_WITHIN_SECONDS })),
    pid() {
      const pid = pidIn(folder);
      if (pid === null) throw new Error(`the container in ${folder} does not run`);
      return pid;
    },
    pause: () => running.pause().then(() => undefined),
    resume: () => void running.unpause(),
    ended: waitUntilEnded,
    log: async () => String(await running.logs({ stdout: true, stderr: true, follow: false })),
  };
};
