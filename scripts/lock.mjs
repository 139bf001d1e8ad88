import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { inRoot, printLine } from './workspace.mjs';

const LOCK = inRoot('dist', '.lock');
const BEAT_MILLISECONDS = 2000;
/** Age of the last touch after which the owner, on another host or in another container, counts as dead. */
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
 * Creates the lock by a link, which is atomic and has its text from the start. Of several processes, one
 * succeeds.
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

/** Moves a stale lock away. Restores it when another process replaced it since it was read. */
const removeStale = (stale) => {
  const aside = `${LOCK}.stale.${process.pid}`;
  try {
    renameSync(LOCK, aside);
    if (readFileSync(aside, 'utf8') !== stale.text) linkSync(aside, LOCK);
  } catch (fault) {
    if (fault.code !== 'ENOENT' && fault.code !== 'EEXIST') throw fault;
  } finally {
    rmSync(aside, { force: true });
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
    // The folder was deleted, and the lock with it.
    if (fault.code !== 'ENOENT') throw fault;
  }
};

/**
 * Runs `work` while no other process of this folder runs such work: two first commands must not install
 * twice.
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
