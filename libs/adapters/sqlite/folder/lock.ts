import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';
import { reasonOf } from '../../../eventsourcing/reason.js';
import { isBusy, isFull } from '../failures.js';
import { yieldToEventLoop } from '../../../eventsourcing/scheduling/yield-to-event-loop.js';
import { prepareFile } from './database.js';
import { createInPlaceCheck } from '../watching/in-place.js';
import { FolderRefused } from './refused.js';

export const LOCK_FILE = 'lock.sqlite';
export const HOLDER_FILE = 'holder.json';

/**
 * How long `lockFolder` waits for the lock. `readHolder` blocks the lock for a shorter time. A user who starts the service
 * hardly notices the wait.
 */
const LOCK_TIMEOUT_MILLISECONDS = 500;
/** Maximum number of attempts to read the holder file. A process writes this file right after it has taken the lock. */
const MAX_READS = 100;

/** The process that uses a folder. */
export type Holder = {
  readonly pid: number;
  /** ISO 8601. */
  readonly startedAt: string;
  /** The URL of its server. Absent until the server listens. */
  readonly url?: string;
  /** The issuer of its access tokens. Absent until the server listens, and if an earlier version runs. */
  readonly issuer?: string;
};

/** The lock of this process on a folder. */
export type FolderLock = {
  /** Writes the URL of this process and the issuer of its tokens to the holder file, which other processes read. */
  announce(url: string, issuer?: string): void;
  release(): void;
};

/**
 * Locks the folder for this process with an open exclusive transaction. The transaction ends with the process, so a killed
 * process leaves no stale lock. Throws FolderRefused when another process has the lock.
 */
export const lockFolder = (directory: string, startedAt: Date): FolderLock => {
  const path = prepareFile(directory, LOCK_FILE);
  const connection = openLock(directory, path, { timeout: LOCK_TIMEOUT_MILLISECONDS });
  const isInPlace = createInPlaceCheck(path);
  const holder: Holder = { pid: process.pid, startedAt: startedAt.toISOString() };
  try {
    connection.exec('BEGIN EXCLUSIVE');
    writeHolder(directory, holder);
  } catch (error) {
    connection.close();
    throw isBusy(error) ? folderInUse(directory, parseHolder(directory)) : unusableLock(directory, error);
  }
  return {
    announce: (url, issuer) => writeHolder(directory, { ...holder, url, ...(issuer !== undefined && { issuer }) }),
    release() {
      if (!connection.isOpen) return;
      // If the folder was replaced, the holder file belongs to another process.
      if (isInPlace()) rmSync(join(directory, HOLDER_FILE), { force: true });
      connection.close();
    },
  };
};

/**
 * Returns the process that uses the folder, or null if none does. Rejects with FolderRefused if the folder is
 * locked and has no holder file.
 */
export const readHolder = async (directory: string): Promise<Holder | null> => {
  const path = join(directory, LOCK_FILE);
  if (!existsSync(path)) return null;
  const connection = openLock(directory, path, { readOnly: true, timeout: 0 });
  try {
    // Any read fails as busy while another process has the lock.
    connection.prepare('SELECT count(*) FROM sqlite_schema').get();
    return null;
  } catch (error) {
    if (!isBusy(error)) throw unusableLock(directory, error);
    return await waitForHolder(directory);
  } finally {
    connection.close();
  }
};

const openLock = (directory: string, path: string, options: DatabaseSyncOptions): DatabaseSync => {
  try {
    return new DatabaseSync(path, options);
  } catch (error) {
    throw unusableLock(directory, error);
  }
};

/**
 * Creates the error for a lock file that cannot be opened. The file has no content, so removing it is safe while
 * no process uses the folder.
 */
const unusableLock = (directory: string, error: unknown): FolderRefused => {
  const remedy = isFull(error)
    ? 'Make room on its disk'
    : `If the folder is otherwise intact, remove ${LOCK_FILE} while no service uses the folder`;
  return new FolderRefused('unusable', `${directory} cannot be locked: ${LOCK_FILE}: ${reasonOf(error)}. ${remedy}`, { cause: error });
};

const writeHolder = (directory: string, holder: Holder): void => {
  const path = join(directory, HOLDER_FILE);
  writeFileSync(`${path}.part`, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  renameSync(`${path}.part`, path);
};

const parseHolder = (directory: string): Holder | null => {
  try {
    return JSON.parse(readFileSync(join(directory, HOLDER_FILE), 'utf8')) as Holder;
  } catch {
    return null;
  }
};

/** Reads the holder file until it exists. Throws FolderRefused after too many attempts. */
const waitForHolder = async (directory: string): Promise<Holder> => {
  for (let read = 0; read < MAX_READS; read++) {
    const holder = parseHolder(directory);
    if (holder) return holder;
    await yieldToEventLoop();
  }
  throw folderInUse(directory, null);
};

const folderInUse = (directory: string, holder: Holder | null): FolderRefused => {
  const who = holder ? `process ${holder.pid}${holder.url ? ` at ${holder.url}` : ''}, since ${holder.startedAt}` : 'another process';
  return new FolderRefused('held', `${directory} is in use by ${who}: stop it first, or choose another folder`);
};
