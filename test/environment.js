import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { TestEnvironment } from 'jest-environment-node';

/** Where npm keeps what Node has compiled: a cache, which no suite is to remove. */
const COMPILED = 'node-compile-cache';
/** Everything that the suites of this process put into a temporary folder, and their processes, is told by this place. */
const FOLDER = join(tmpdir(), `petstore-tests-of-${process.pid}`);
mkdirSync(FOLDER, { recursive: true });
process.env.TMPDIR = FOLDER;
process.once('exit', () => {
  try {
    rmSync(join(FOLDER, COMPILED), { recursive: true, force: true });
    rmdirSync(FOLDER);
  } catch {
    // What shared servers keep there is removed by their guards, once this process is gone.
  }
});

/** Servers that all suites of a process share end with it: their folders, and whatever runs below their guards, may stay. */
const SHARED = /petstore-[a-z]+-of-\d+/;
/** A process that was told to end, or a folder that is being removed, gets so many milliseconds. */
const PATIENCE = 5_000;
const LOOK_EVERY = 50;

const linkOf = (path) => {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
};

const textOf = (file) => {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
};

const parentOf = (pid) => Number(/\) \S (\d+)/.exec(textOf(`/proc/${pid}/stat`))?.[1] ?? 0);
const commandOf = (pid) => textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();

const isShared = (pid) => {
  for (let at = pid; at > 1 && at !== process.pid; at = parentOf(at)) if (SHARED.test(commandOf(at).replaceAll(FOLDER, ''))) return true;
  return false;
};

/** The processes that suites of this one have started, however far below it or orphaned; none where there is no /proc. */
const processes = () => {
  let pids = [];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  } catch {
    return [];
  }
  // One that is gone but not yet waited for has no command.
  return pids.filter((pid) => textOf(`/proc/${pid}/environ`).includes(`TMPDIR=${FOLDER}\0`) && commandOf(pid) !== '' && !isShared(pid));
};

const folders = () => readdirSync(FOLDER).filter((name) => name !== COMPILED && !SHARED.test(name));

const LISTENING = '0A';

/** The ports on which this process listens, as /proc tells them. */
const ports = () => {
  const own = new Set();
  try {
    for (const fd of readdirSync('/proc/self/fd')) own.add(/^socket:\[(\d+)\]$/.exec(linkOf(`/proc/self/fd/${fd}`))?.[1]);
  } catch {
    return [];
  }
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    textOf(file)
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === LISTENING && own.has(inode))
      .map(([, local]) => Number.parseInt(local.split(':')[1], 16)),
  );
};

/** What a suite left behind that was not there before it, in words. */
const leftBehind = ({ pids, names, open }) => [
  ...processes()
    .filter((pid) => !pids.has(pid))
    .map((pid) => `the process ${pid}: ${commandOf(pid)}`),
  ...folders()
    .filter((name) => !names.has(name))
    .map((name) => `the temporary folder ${name}`),
  ...ports()
    .filter((port) => !open.has(port))
    .map((port) => `the open port ${port}`),
];

/** Fails a suite that leaves a process, a port or a temporary folder behind. */
export default class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.before = { pids: new Set(processes()), names: new Set(folders()), open: new Set(ports()) };
  }

  async teardown() {
    const { before } = this;
    await super.teardown();
    if (!before) return;
    const deadline = performance.now() + PATIENCE;
    let left = leftBehind(before);
    while (left.length > 0 && performance.now() < deadline) {
      await setTimeout(LOOK_EVERY);
      left = leftBehind(before);
    }
    if (left.length > 0) throw new Error(`The suite left behind:\n${left.map((what) => `- ${what}`).join('\n')}`);
  }
}
