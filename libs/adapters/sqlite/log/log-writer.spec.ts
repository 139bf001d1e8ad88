import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { CommitQueue } from '../commits/commit-queue.js';
import { CommitThread } from '../commits/commit-thread.js';
import { event, temporaryFolder } from '../sqlite.fixtures.js';
import { openDatabase, PRAGMAS, type Database } from '../folder/database.js';
import { STORE_FILE } from '../folder/file-names.js';
import { migrate, STORE_MIGRATIONS } from '../folder/migrations.js';
import { LogWriter } from './log-writer.js';

describe('the writer of the log', () => {
  let database: Database;
  let thread: CommitThread;
  let queue: CommitQueue;
  let writer: LogWriter;
  let remove: () => void;
  beforeEach(() => {
    const temporary = temporaryFolder();
    remove = temporary.remove;
    database = openDatabase(temporary.folder, STORE_FILE);
    migrate(database, STORE_MIGRATIONS);
    thread = new CommitThread(join(temporary.folder, STORE_FILE), PRAGMAS);
    queue = new CommitQueue(database, thread);
    writer = new LogWriter(database, queue);
  });
  afterEach(async () => {
    await writer.close();
    await thread.close();
    database.close();
    remove();
  });

  const appendNew = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => writer.append(`thing-${from + index}`, 'none', [event('Made')]));

  it('starts a commit immediately when enough appends are pending, and otherwise after the turn of the event loop', async () => {
    const first = appendNew(0, 15);
    expect(thread.isBusy()).toBe(false);
    const second = appendNew(15, 40);
    expect(thread.isBusy()).toBe(true);
    const results = await Promise.all([...first, ...second]);
    expect(results.map((result) => result.kind === 'appended' && result.position)).toEqual(results.map((_, index) => index + 1));
  });

  it('appends more than fit into one commit, in order', async () => {
    const results = await Promise.all(appendNew(0, 2_500));
    expect(results.map((result) => result.kind === 'appended' && result.position)).toEqual(results.map((_, index) => index + 1));
  });

  it('returns a conflict when an append expects a new stream, and the stream exists', async () => {
    const first = event('Made');
    await writer.append('thing-1', 'none', [first]);
    const together = await Promise.all([
      writer.append('thing-2', 'none', [event('Made')]),
      writer.append('thing-1', 'none', [event('Made')]),
      writer.append('thing-1', 'none', [first]),
      writer.append('thing-3', 'none', [event('Made')]),
    ]);
    expect(together).toMatchObject([
      { kind: 'appended', position: 2 },
      { kind: 'conflict', actual: 0 },
      { kind: 'appended', position: 1 },
      { kind: 'appended', position: 3 },
    ]);
  });

  it('knows without reading whether the log may contain events of a type after a position', async () => {
    await writer.append('thing-1', 'none', [event('Made')]);
    const opened = new LogWriter(database, queue);
    expect([opened.mayContain(['Broken'], 0), opened.mayContain(['Made'], 1)]).toEqual([true, false]);
    await opened.append('thing-2', 'none', [event('Made'), event('Broken')]);
    await opened.append('thing-3', 'none', [event('Made')]);
    expect([1, 3, 4].map((after) => opened.mayContain(['Broken', 'Lost'], after))).toEqual([true, false, false]);
    expect([3, 4].map((after) => opened.mayContain(['Made'], after))).toEqual([true, false]);
  });

  it('shares commits with other writes', async () => {
    const seen: number[] = [];
    const write = queue.write([], () => void seen.push(writer.head()));
    await Promise.all([...appendNew(0, 3), write]);
    expect([seen, writer.head()]).toEqual([[0], 3]);
  });

  it('appends what is pending when it is closed', async () => {
    const appends = appendNew(0, 1_500);
    await writer.close();
    expect((await Promise.all(appends)).every(({ kind }) => kind === 'appended')).toBe(true);
    await expect(writer.append('late', 'none', [event('Made')])).rejects.toMatchObject({ name: 'StoreUnavailable' });
  });

  it('loses and doubles no append when the thread dies, and continues with a new thread', async () => {
    const appends = appendNew(0, 50);
    while (!thread.isBusy()) await new Promise((resolve) => setImmediate(resolve));
    await thread['running']?.worker.terminate();
    const results = await Promise.allSettled(appends);
    const stored = database.connection.prepare('SELECT stream FROM events').all();
    expect(stored).toHaveLength(results.filter(({ status }) => status === 'fulfilled').length);
    const again = await Promise.all(appendNew(100, 150));
    expect(again.every(({ kind }) => kind === 'appended')).toBe(true);
    expect(writer.head()).toBe(stored.length + 50);
  });
});
