import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { inRoot, say } from './workspace.mjs';

const LOCK = inRoot('dist', '.lock');
const BEAT_MILLISECONDS = 2000;
/** A holder on another host, or in another container, that has not touched its lock for so long is gone. */
const SILENT_MILLISECONDS = 30_000;
const LOOK_AGAIN_MILLISECONDS = 100;

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    return fault.code === 'EPERM';
  }
};

const holder = () => {
  try {
    const text = readFileSync(LOCK, 'utf8');
    const [pid, host] = text.split(' ');
    return { text, pid: Number(pid), host, silent: Date.now() - statSync(LOCK).mtimeMs };
  } catch (fault) {
    if (fault.code === 'ENOENT') return null;
    throw fault;
  }
};

const isStale = ({ pid, host, silent }) => silent > SILENT_MILLISECONDS || (host === hostname() && !isAlive(pid));

/** A link appears whole or not at all, with its text in it: of several, one succeeds. */
const tryToTake = (text) => {
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

/** Puts a stale lock aside. Should another have replaced it since it was read, that one's is put back. */
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

const take = async () => {
  mkdirSync(inRoot('dist'), { recursive: true });
  const text = `${process.pid} ${hostname()} ${Date.now()}`;
  let said = false;
  while (!tryToTake(text)) {
    const other = holder();
    if (other && isStale(other)) removeStale(other);
    else if (other) {
      if (!said) say(`Waiting for another run in this folder (process ${other.pid})…`);
      said = true;
      await delay(LOOK_AGAIN_MILLISECONDS);
    }
  }
};

const touch = () => {
  try {
    utimesSync(LOCK, new Date(), new Date());
  } catch (fault) {
    // Somebody has deleted the folder meanwhile: there is nothing left to keep.
    if (fault.code !== 'ENOENT') throw fault;
  }
};

/** Does the work while no other process of this folder does such work; two newcomers' commands do not install twice. */
export const alone = async (work) => {
  await take();
  const beat = setInterval(touch, BEAT_MILLISECONDS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    rmSync(LOCK, { force: true });
  }
};
