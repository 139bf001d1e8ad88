import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { inRoot, printLine } from './workspace.mjs';

const LOCK = inRoot('dist', '.lock');
/** The process that owns the lock updates the modification time of the lock file at this interval. */
const TOUCH_EVERY_MILLISECONDS = 2000;
/** A lock file that was not touched for this time is stale: its owner, perhaps on another host, no longer runs. */
const STALE_MILLISECONDS = 30_000;
const POLL_MILLISECONDS = 100;

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    return fault.code === 'EPERM';
  }
};

const readOwner = () => {
  try {
    const text = readFileSync(LOCK, 'utf8');
    const [pid, host] = text.split(' ');
    return { text, pid: Number(pid), host, age: Date.now() - statSync(LOCK).mtimeMs };
  } catch (fault) {
    if (fault.code === 'ENOENT') return null;
    throw fault;
  }
};

const isStale = ({ pid, host, age }) => age > STALE_MILLISECONDS || (host === hostname() && !isAlive(pid));

/**
 * Creates the lock file. Returns false if it exists. A link to a complete file is created atomically, so only one of
 * several processes succeeds.
 */
const tryToAcquire = (text) => {
  const draft = `${LOCK}.${process.pid}`;
  writeFileSync(draft, text);
  try {
    linkSync(draft, LOCK);
    return true;
  } catch (fault) {
    if (fault.code === 'EEXIST') return false;
    throw fault;
  } finally {
    rmSync(draft);
  }
};

/** Removes a stale lock file. Restores the file if another process has replaced it since this process read it. */
const removeStale = (stale) => {
  const moved = `${LOCK}.stale.${process.pid}`;
  try {
    renameSync(LOCK, moved);
    if (readFileSync(moved, 'utf8') !== stale.text) linkSync(moved, LOCK);
  } catch (fault) {
    if (fault.code !== 'ENOENT' && fault.code !== 'EEXIST') throw fault;
  } finally {
    rmSync(moved, { force: true });
  }
};

const acquire = async () => {
  mkdirSync(inRoot('dist'), { recursive: true });
  const text = `${process.pid} ${hostname()} ${Date.now()}`;
  let isReported = false;
  while (!tryToAcquire(text)) {
    const owner = readOwner();
    if (owner && isStale(owner)) removeStale(owner);
    else if (owner) {
      if (!isReported) printLine(`Waiting for another run in this folder (process ${owner.pid})…`);
      isReported = true;
      await delay(POLL_MILLISECONDS);
    }
  }
};

const touch = () => {
  try {
    utimesSync(LOCK, new Date(), new Date());
  } catch (fault) {
    // The folder was deleted together with the lock.
    if (fault.code !== 'ENOENT') throw fault;
  }
};

/**
 * Runs `work` while this process owns the lock. The lock prevents two commands in one folder from installing or building at
 * the same time.
 */
export const withLock = async (work) => {
  await acquire();
  const timer = setInterval(touch, TOUCH_EVERY_MILLISECONDS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    rmSync(LOCK, { force: true });
  }
};
