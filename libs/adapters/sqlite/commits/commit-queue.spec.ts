import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryFolder } from '../sqlite.fixtures.js';
import { openDatabase, PRAGMAS, type Database } from '../folder/database.js';
import { IN_MEMORY, STORE_FILE } from '../folder/file-names.js';
import { CommitQueue, type WriteKeys } from './commit-queue.js';
import { CommitThread } from './commit-thread.js';

const CREATE = 'CREATE TABLE cups (name TEXT PRIMARY KEY) STRICT';
const PUT = 'INSERT INTO cups (name) VALUES (?)';
const COUNT = 'SELECT count(*) AS count FROM cups';

type Opened = { readonly database: Database; readonly queue: CommitQueue; readonly close: () => Promise<void> };

/** Returns a function that puts a cup, and resolves with the number of cups that the write has read. */
const putIn =
  ({ database, queue }: Opened) =>
  (name: string, keys: WriteKeys = []): Promise<number> =>
    queue.write(keys, () => {
      database.write(PUT, name);
      return Number(database.statement(COUNT).get()?.['count']);
    });

describe('a queue of commits', () => {
  let path: string;
  let opened: Opened;
  let thread: CommitThread;
  let isInPlace: boolean;
  const open = (stallMilliseconds: number): void => {
    const { folder, remove } = temporaryFolder();
    path = join(folder, STORE_FILE);
    const database = openDatabase(folder, STORE_FILE);
    database.connection.exec(CREATE);
    isInPlace = true;
    thread = new CommitThread(path, PRAGMAS);
    const queue = new CommitQueue(database, thread, { problem: () => (isInPlace ? null : 'moved'), stallMilliseconds });
    const close = async (): Promise<void> => {
      await queue.close();
      await thread.close();
      database.close();
      remove();
    };
    opened = { database, queue, close };
  };
  beforeEach(() => open(60_000));
  afterEach(() => opened.close());

  const put = (name: string, keys?: WriteKeys): Promise<number> => putIn(opened)(name, keys);
  const cups = (): unknown[] =>
    opened.database
      .statement('SELECT name FROM cups ORDER BY name')
      .all()
      .map(({ name }) => name);
  const statuses = async (writes: readonly Promise<unknown>[]): Promise<readonly string[]> =>
    (await Promise.allSettled(writes)).map((result) => (result.status === 'rejected' ? (result.reason as Error).name : 'written'));

  it.each([
    ['resolves a write if the file has it', true, 'written'],
    ['rejects a write if the file lacks it', false, 'StoreUnavailable'],
  ])('%s after the thread has died during its commit', async (_, isThere, status) => {
    const commit = thread.commit.bind(thread);
    thread.commit = (writes, onOutcome) => commit(writes, () => onOutcome({ kind: 'unknown', reason: 'the thread has ended' }));
    let committed = 0;
    const write = opened.queue.write([], () => opened.database.write(PUT, 'blue'), {
      onCommitted: () => committed++,
      isStored: () => isThere,
    });
    expect([await statuses([write]), committed]).toEqual([[status], isThere ? 1 : 0]);
  });

  it('commits the writes that wait together', async () => {
    expect(await Promise.all([put('blue', ['b']), put('red', ['r']), put('green')])).toEqual([0, 0, 0]);
    expect(cups()).toEqual(['blue', 'green', 'red']);
  });

  it('commits writes with a common key one after the other, so that each reads what the one before wrote', async () => {
    expect(await Promise.all([put('blue', ['a', 'b']), put('red', ['b', 'c']), put('green', ['c'])])).toEqual([0, 1, 2]);
  });

  it('commits a write alone if its keys say so', async () => {
    expect(await Promise.all([put('blue'), put('red', 'alone'), put('green'), put('white')])).toEqual([0, 1, 2, 2]);
  });

  it('starts a commit at once when many writes are waiting, otherwise after the turn of the event loop', () => {
    for (let cup = 0; cup < 15; cup++) void put(`few ${cup}`);
    expect(thread.isBusy()).toBe(false);
    void put('many');
    expect(thread.isBusy()).toBe(true);
  });

  it('rejects a write that throws or that SQLite refuses, and commits those beside it', async () => {
    await put('blue');
    const throwing = opened.queue.write([], () => {
      opened.database.write(PUT, 'lost');
      throw new RangeError('no');
    });
    expect(await statuses([put('red'), throwing, put('blue'), put('green')])).toEqual(['written', 'RangeError', 'Error', 'written']);
    expect(cups()).toEqual(['blue', 'green', 'red']);
  });

  it('rejects only the writes whose commit has not started when a lock holds a commit too long, and recovers', async () => {
    await opened.close();
    open(1_000);
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    const started = put('started');
    while (!thread.isBusy()) await new Promise((resolve) => setImmediate(resolve));
    const waiting = [put('waiting'), put('waiting too', 'alone')];
    expect(opened.queue.isFailing()).toBe(false);
    while (!opened.queue.isFailing()) await new Promise((resolve) => setImmediate(resolve));
    expect(await statuses([...waiting, put('new')])).toEqual(['StoreUnavailable', 'StoreUnavailable', 'StoreUnavailable']);
    other.exec('COMMIT');
    other.close();
    expect(await started).toBe(0);
    expect(await put('later')).toBe(1);
    expect([cups(), opened.queue.isFailing()]).toEqual([['later', 'started'], false]);
  });

  it('rejects writes to a file that is no longer at its path', async () => {
    isInPlace = false;
    expect(await statuses([put('blue'), put('red', 'alone')])).toEqual(['StoreUnavailable', 'StoreUnavailable']);
    isInPlace = true;
    expect(await put('blue')).toBe(0);
  });

  it('commits what waits when it is closed, and rejects what comes later', async () => {
    const writes = [put('blue'), put('red', 'alone'), put('green')];
    const closing = opened.queue.close();
    expect(await statuses([...writes, put('late')])).toEqual(['written', 'written', 'written', 'StoreUnavailable']);
    await closing;
    expect(cups()).toEqual(['blue', 'green', 'red']);
  });
});

describe('a queue of commits in memory', () => {
  it('rejects a write that fails, and commits those beside it', async () => {
    const database = openDatabase(IN_MEMORY, STORE_FILE);
    database.connection.exec(CREATE);
    const queue = new CommitQueue(database, null);
    const put = putIn({ database, queue, close: async () => undefined });
    const writes = await Promise.allSettled([put('blue'), put('blue'), put('red', 'alone')]);
    expect(writes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(database.statement(COUNT).get()).toEqual({ count: 2 });
    await queue.close();
    database.close();
  });
});
