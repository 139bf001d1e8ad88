import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { TestEnvironment } from 'jest-environment-node';
import { DEADLINES } from './deadlines.ts';

/** The folder of Node's compile cache, which suites must not remove. */
const COMPILE_CACHE = 'node-compile-cache';
/** The temporary folder of all suites of this process. Child processes inherit its path, which identifies them. */
const FOLDER = join(tmpdir(), `petstore-tests-of-${process.pid}`);
mkdirSync(FOLDER, { recursive: true });
process.env.TMPDIR = FOLDER;
process.once('exit', () => {
  try {
    rmSync(join(FOLDER, COMPILE_CACHE), { recursive: true, force: true });
    rmdirSync(FOLDER);
  } catch {
    // Shared servers still use the folder. They remove it when they end, shortly after this process.
  }
});

/** Names of the folders of servers that all suites share. These servers end with this process, not with a suite. */
const SHARED = /petstore-[a-z]+-of-\d+/;
const CHECK_EVERY = 50;
/** The maximum number of times that the list of processes is read while processes start and end. */
const MOST_SCANS = 10;

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

const processes = () => {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  } catch {
    return [];
  }
};

/**
 * Returns the ids of the processes that suites of this process have started, directly or indirectly, orphans
 * included. Without /proc the list is empty.
 */
const childProcesses = () => {
  let unread = new Set();
  for (let scan = 1; ; scan += 1) {
    const environments = new Map(processes().map((pid) => [pid, textOf(`/proc/${pid}/environ`)]));
    const pids = [...environments.keys()];
    const empty = pids.filter((pid) => environments.get(pid) === '');
    // A process that has just ended, or is starting another program, cannot be read. It may have started a child after
    // the list was read, so the list is read again. Kernel threads can never be read.
    if (scan === MOST_SCANS || empty.every((pid) => unread.has(pid))) {
      // A zombie process has no command.
      return pids.filter((pid) => environments.get(pid).includes(`TMPDIR=${FOLDER}\0`) && commandOf(pid) !== '' && !isShared(pid));
    }
    unread = new Set(empty);
  }
};

const temporaryFolders = () => readdirSync(FOLDER).filter((name) => name !== COMPILE_CACHE && !SHARED.test(name));

const LISTENING = '0A';

/** Returns the ports on which this process listens, from /proc. */
const listeningPorts = () => {
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

/** Returns a description of each process, folder and port that did not exist before the suite. */
const leftBehind = ({ pids, names, open }) => [
  ...childProcesses()
    .filter((pid) => !pids.has(pid))
    .map((pid) => `the process ${pid}: ${commandOf(pid)}`),
  ...temporaryFolders()
    .filter((name) => !names.has(name))
    .map((name) => `the temporary folder ${name}`),
  ...listeningPorts()
    .filter((port) => !open.has(port))
    .map((port) => `the open port ${port}`),
];

/** Fails a suite that leaves a process, a port or a temporary folder behind. */
export default class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.before = { pids: new Set(childProcesses()), names: new Set(temporaryFolders()), open: new Set(listeningPorts()) };
  }

  async teardown() {
    const { before } = this;
    await super.teardown();
    if (!before) return;
    const deadline = performance.now() + DEADLINES.leftovers;
    let left = leftBehind(before);
    while (left.length > 0 && performance.now() < deadline) {
      await setTimeout(CHECK_EVERY);
      left = leftBehind(before);
    }
    if (left.length === 0) return;
    const text = `The suite left behind:\n${left.map((what) => `- ${what}`).join('\n')}`;
    if (!this.hasFailed) throw new Error(text);
    process.stderr.write(`${text}\n`);
  }

  /** An error of the teardown replaces the results of the suite. A failed test often leaves something behind, so its result counts. */
  handleTestEvent({ name }) {
    if (name === 'test_fn_failure' || name === 'hook_failure') this.hasFailed = true;
  }
}
