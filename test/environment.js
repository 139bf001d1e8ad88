import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { TestEnvironment } from 'jest-environment-node';

/** The folder of Node's compile cache, which suites must not remove. */
const COMPILED = 'node-compile-cache';
/** The temporary folder of all suites of this process. Child processes inherit it, which identifies them. */
const FOLDER = join(tmpdir(), `petstore-tests-of-${process.pid}`);
mkdirSync(FOLDER, { recursive: true });
process.env.TMPDIR = FOLDER;
process.once('exit', () => {
  try {
    rmSync(join(FOLDER, COMPILED), { recursive: true, force: true });
    rmdirSync(FOLDER);
  } catch {
    // The guards of shared servers remove the rest after this process has ended.
  }
});

/** Servers that all suites of a process share end with it: their folders and child processes may stay. */
const SHARED = /petstore-[a-z]+-of-\d+/;
/** How long ending processes and folders under removal may take, in milliseconds. */
const WAIT_MILLISECONDS = 5_000;
const CHECK_EVERY = 50;

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

/**
 * Returns the ids of the processes that suites of this process have started, directly or indirectly, orphans
 * included. Without /proc the list is empty.
 */
const processes = () => {
  let pids = [];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  } catch {
    return [];
  }
  // A zombie process has no command.
  return pids.filter((pid) => textOf(`/proc/${pid}/environ`).includes(`TMPDIR=${FOLDER}\0`) && commandOf(pid) !== '' && !isShared(pid));
};

const folders = () => readdirSync(FOLDER).filter((name) => name !== COMPILED && !SHARED.test(name));

const LISTENING = '0A';

/** Returns the ports on which this process listens, from /proc. */
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

/** Describes what a suite left behind that did not exist before it. */
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
    const deadline = performance.now() + WAIT_MILLISECONDS;
    let left = leftBehind(before);
    while (left.length > 0 && performance.now() < deadline) {
      await setTimeout(CHECK_EVERY);
      left = leftBehind(before);
    }
    if (left.length > 0) throw new Error(`The suite left behind:\n${left.map((what) => `- ${what}`).join('\n')}`);
  }
}
