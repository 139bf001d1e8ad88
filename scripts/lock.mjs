import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { inRoot, printLine } from './workspace.mjs';

const LOCK = inRoot('dist', '.lock');
const BEAT_MILLISECONDS = 2000;
/** The owner touches the lock while it runs. After this time without a touch, it counts as dead, even on another host. */
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
 * Creates the lock as a link to a complete file. Creating a link is atomic, so only one of several processes succeeds.
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

/** Removes a stale lock. Restores it if another process has replaced it since it was read. */
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
 * Runs `work` under the lock, so that two commands in a new folder do not install packages at the same time.
 */
export const withLock = async (work) => {
  await acquire();
  const beat = setInterval(touch, BEAT_MILLISECONDS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    rmSync(LOCK, { force: true });
  }
};
