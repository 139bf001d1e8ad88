import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { event, temporaryFolder } from '../sqlite.fixtures.js';
import { openDatabase, PRAGMAS, STORE_FILE, type Database } from '../folder/database.js';
import { migrate, STORE_MIGRATIONS } from '../folder/migrations.js';
import { CommitThread, type CommitOutcome } from './commit-thread.js';
import { LogWriter } from './log-writer.js';

const PUT = 'INSERT INTO cups (name) VALUES (?)';

describe('a commit thread', () => {
  let database: Database;
  let thread: CommitThread;
  let remove: () => void;
  beforeEach(() => {
    const temporary = temporaryFolder();
    remove = temporary.remove;
    database = openDatabase(temporary.folder, STORE_FILE);
    migrate(database, STORE_MIGRATIONS);
    database.connection.exec('CREATE TABLE cups (name TEXT PRIMARY KEY) STRICT');
    thread = new CommitThread(join(temporary.folder, STORE_FILE), PRAGMAS);
  });
  afterEach(async () => {
    await thread.close();
    database.close();
    remove();
  });

  const cups = (): unknown[] => database.connection.prepare('SELECT name FROM cups ORDER BY name').all();
  const commit = (...names: readonly (string | null)[]): Promise<CommitOutcome> =>
    new Promise((resolve) => {
      const writes = database.record(() => names.forEach((name) => database.write(PUT, name)));
      thread.commit(writes, resolve);
    });

  it('writes a recorded transaction only on commit', async () => {
    const writes = database.record(() => database.write(PUT, 'blue'));
    expect(cups()).toEqual([]);
    await new Promise<CommitOutcome>((resolve) => thread.commit(writes, resolve));
    expect(cups()).toEqual([{ name: 'blue' }]);
  });

  it('rolls back a transaction that fails, reports SQLite’s message and code, and commits the next one', async () => {
    await commit('blue');
    expect(await commit('red', 'blue')).toMatchObject({ kind: 'refused', message: expect.stringContaining('UNIQUE'), errcode: 1555 });
    expect(cups()).toEqual([{ name: 'blue' }]);
    expect(await commit('green')).toEqual({ kind: 'committed' });
  });

  it('has committed the transaction when waitForCommit returns', () => {
    let outcome: CommitOutcome | null = null;
    const writes = database.record(() => database.write(PUT, 'blue'));
    thread.commit(writes, (concluded) => (outcome = concluded));
    expect([thread.isBusy(), outcome]).toEqual([true, null]);
    thread.waitForCommit();
    expect([thread.isBusy(), outcome, cups()]).toEqual([false, { kind: 'committed' }, [{ name: 'blue' }]]);
  });

  it('has committed the transaction when waitForCommit returns, even right after the previous commit', async () => {
    for (let round = 0; round < 500; round++) {
      await commit(`first ${round}`);
      const writes = database.record(() => database.write(PUT, `second ${round}`));
      thread.commit(writes, () => undefined);
      thread.waitForCommit();
    }
    expect(cups()).toHaveLength(1_000);
  });

  it('limits its pending space checks when another connection writes fast', () => {
    for (let write = 0; write < 1_000; write++) thread.checkSpace();
    expect(thread['requestedChecks'] - Atomics.load(thread['state'], 1)).toBeLessThanOrEqual(17);
  });

  describe('with a log writer', () => {
    it('completes the commit in progress before a transaction on the main thread, which sees its events', async () => {
      const writer = new LogWriter(database, thread);
      const appended = writer.append('thing-1', 'none', [event('Made')]);
      while (!thread.isBusy()) await new Promise((resolve) => setImmediate(resolve));
      expect(writer.head()).toBe(0);
      const seen = database.transaction(() => writer.head());
      expect(seen).toBe(1);
      expect(await appended).toMatchObject({ kind: 'appended', position: 1 });
    });

    it('starts a commit immediately when enough appends are pending, and otherwise after the turn of the event loop', async () => {
      const writer = new LogWriter(database, thread);
      const made = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, index) => writer.append(`thing-${from + index}`, 'none', [event('Made')]));
      const first = made(0, 15);
      expect(thread.isBusy()).toBe(false);
      const second = made(15, 40);
      expect(thread.isBusy()).toBe(true);
      const results = await Promise.all([...first, ...second]);
      expect(results.map((result) => result.kind === 'appended' && result.position)).toEqual(results.map((_, index) => index + 1));
    });

    it.each(['succeeds', 'is rejected'])('starts no other commit while a caller waits for one that %s', async (outcome) => {
      const writer = new LogWriter(database, thread);
      await writer.append('there', 'none', [event('Made')]);
      if (outcome === 'is rejected') void writer.append('there', 'none', [event('Made')]);
      else void writer.append('here', 'none', [event('Made')]);
      for (let stream = 1; stream < 40; stream++) void writer.append(`thing-${stream}`, 'none', [event('Made')]);
      const [isBusy, head] = database.transaction(() => [thread.isBusy(), writer.head()] as const);
      const written = outcome === 'succeeds' ? 1 : 0;
      // Another commit would still be in progress. More than 16 appends are written if the first commit has ended before the wait.
      expect(isBusy).toBe(false);
      expect(head - written).toBeGreaterThanOrEqual(16);
      writer.close();
      expect(writer.head()).toBe(40 + written);
    });

    it('returns a conflict when an append expects a new stream, and the stream exists', async () => {
      const writer = new LogWriter(database, thread);
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
      const before = new LogWriter(database, thread);
      await before.append('thing-1', 'none', [event('Made')]);
      const writer = new LogWriter(database, thread);
      expect([writer.mayContain(['Broken'], 0), writer.mayContain(['Made'], 1)]).toEqual([true, false]);
      await writer.append('thing-2', 'none', [event('Made'), event('Broken')]);
      await writer.append('thing-3', 'none', [event('Made')]);
      expect([1, 3, 4].map((after) => writer.mayContain(['Broken', 'Lost'], after))).toEqual([true, false, false]);
      expect([3, 4].map((after) => writer.mayContain(['Made'], after))).toEqual([true, false]);
    });

    it('takes turns between appends and other writes', async () => {
      const writer = new LogWriter(database, thread);
      const ended: string[] = [];
      const write = (name: string) => writer.commit(1, () => database.write(PUT, name)).then(() => void ended.push(name));
      const append = (name: string) => writer.append(name, 'none', [event('Made')]).then(() => void ended.push(name));
      const writes = [write('w1'), write('w2'), write('w3')];
      await append('a1');
      await Promise.all([...writes, append('a2')]);
      expect(ended).toEqual(['w1', 'a1', 'w2', 'a2', 'w3']);
      expect(cups()).toEqual([{ name: 'w1' }, { name: 'w2' }, { name: 'w3' }]);
    });

    it('rejects writes that fail, and continues with the next ones', async () => {
      const writer = new LogWriter(database, thread);
      const write = (name: string) => writer.commit(1, () => database.write(PUT, name));
      const [first, again, other] = await Promise.allSettled([write('blue'), write('blue'), write('red')]);
      expect([first?.status, again?.status, other?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      writer.close();
      await expect(write('green')).rejects.toThrow('closed');
    });

    it('that has died is replaced by commits on the main thread, and no append is lost or duplicated', async () => {
      const writer = new LogWriter(database, thread);
      const appends = Array.from({ length: 50 }, (_, index) => writer.append(`thing-${index}`, 'none', [event('Made')]));
      while (!thread.isBusy()) await new Promise((resolve) => setImmediate(resolve));
      await thread['worker'].terminate();
      const results = await Promise.allSettled(appends);
      const stored = database.connection.prepare('SELECT stream FROM events').all();
      expect(stored).toHaveLength(results.filter(({ status }) => status === 'fulfilled').length);
      const again = await Promise.all(appends.map((_, index) => writer.append(`more-${index}`, 'none', [event('Made')])));
      expect(again.every(({ kind }) => kind === 'appended')).toBe(true);
      expect(writer.head()).toBe(stored.length + 50);
    });
  });
});
