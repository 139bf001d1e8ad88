import { execFile, spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../../eventually.js';
import { ROOT } from '../program.js';

const SCRIPT = join(ROOT, 'test', 'servers', 'services', 'services.sh');

/** Downloads included; a cold one took 11 s. */
const INSTALLS_WITHIN = 180_000;
const STARTS_WITHIN = 60_000;
const ENDS_WITHIN = 30_000;

/** A real server cannot be had on this machine: what it lacks, in words. */
export class ServerMissing extends Error {
  override readonly name = 'ServerMissing';
}

/** A real server in a process of its own, whose data survive its end until `close`. */
export type RealServer = {
  /** Ends it where it stands, as a power cut would; resolves when it is gone. */
  readonly kill: () => Promise<void>;
  /** Asks it to stop and waits until it has. */
  readonly stop: () => Promise<void>;
  /** Its process, while it runs. */
  readonly pid: () => number;
  /** Stops every thread with SIGSTOP; resolves when none runs, so that no later request is answered. */
  readonly pause: () => Promise<void>;
  /** Lets a paused server go on. */
  readonly resume: () => void;
  /** Starts it again, on the same data at the same address, and waits until it answers. */
  readonly restart: () => Promise<void>;
  /** Ends it and removes its data. */
  readonly close: () => Promise<void>;
};

export type Program = {
  /** Where its data and its output go; there already. */
  readonly folder: string;
  readonly command: readonly [string, ...string[]];
  /** Answers once it can be used. */
  readonly isReady: () => Promise<boolean>;
};

const run = promisify(execFile);

/** Puts a program into the cache, where it stays; answers where. Rejects with ServerMissing. */
export const install = async (name: 'kafka' | 'mongod' | 'python'): Promise<string> => {
  try {
    await run(SCRIPT, ['install', name], { timeout: INSTALLS_WITHIN });
    const [kafka = '', mongod = '', python = ''] = (await run(SCRIPT, ['paths'])).stdout.trim().split('\n');
    return { kafka, mongod, python }[name];
  } catch (error) {
    const said = typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new ServerMissing(`there is no ${name} here: ${said || String(error)}`);
  }
};

/** The pid of the server in this folder while it runs. */
export const pidIn = (folder: string): number | null => {
  try {
    return Number(readFileSync(join(folder, 'pid'), 'utf8'));
  } catch {
    return null;
  }
};

/** Linux reports each thread as `pid (name) state …`: a signal reaches them one by one, and T says stopped. */
const isPaused = (pid: number): boolean =>
  readdirSync(`/proc/${pid}/task`).every((thread) => /\) T /.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')));

const lastWordsIn = (folder: string): string => readFileSync(join(folder, 'log'), 'utf8').split('\n').slice(-15).join('\n');

type Launched = {
  readonly ended: Promise<void>;
  /** The same; whoever waits for it stays alive until then. */
  readonly untilEnded: () => Promise<void>;
};

/** Starts it; it ends with this process, however this one ends. */
const launch = ({ folder, command }: Program): Launched => {
  // Its own session: a Ctrl-C at the terminal reaches the tests, and their end reaches the server.
  const guard = spawn(SCRIPT, ['guard', folder, ...command], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  guard.unref();
  (guard.stdin as Socket).unref();
  const ended = new Promise<void>((resolve) => guard.once('exit', () => resolve()));
  return {
    ended,
    untilEnded() {
      guard.ref();
      return ended;
    },
  };
};

/** Starts a server and waits until it can be used. */
export const startRealServer = async (program: Program): Promise<RealServer> => {
  const { folder, isReady } = program;
  let launched: Launched;
  const start = async (): Promise<void> => {
    let over = false;
    launched = launch(program);
    void launched.ended.then(() => (over = true));
    const outcome = await eventually(
      `the server in ${folder}`,
      async () => (over ? 'over' : pidIn(folder) !== null && (await isReady()) ? 'ready' : null),
      STARTS_WITHIN,
    );
    if (outcome === 'over') throw new Error(`the server in ${folder} ended at once:\n${lastWordsIn(folder)}`);
  };
  const signal = (name: NodeJS.Signals): void => {
    const pid = pidIn(folder);
    if (pid !== null) process.kill(pid, name);
  };
  const pid = (): number => {
    const running = pidIn(folder);
    if (running === null) throw new Error(`the server in ${folder} does not run`);
    return running;
  };
  const end = async (name: NodeJS.Signals): Promise<void> => {
    signal(name);
    await eventually(`the end of the server in ${folder}`, () => pidIn(folder) === null, ENDS_WITHIN);
    await launched.untilEnded();
  };
  await start();
  return {
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    pid,
    async pause() {
      signal('SIGSTOP');
      await eventually(`the pause of the server in ${folder}`, () => isPaused(pid()), ENDS_WITHIN);
    },
    resume: () => signal('SIGCONT'),
    restart: start,
    close: () => end('SIGKILL').then(() => rmSync(folder, { recursive: true, force: true })),
  };
};
