import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { event, temporaryFolder } from '../sqlite.fixtures.js';
import { openDatabase, PRAGMAS, STORE_FILE, type Database } from '../folder/database.js';
import { migrate, STORE_MIGRATIONS } from '../folder/migrations.js';
import { CommitThread, type CommitOutcome } from './commit-thread.js';
import { LogWriter } from './log-writer.js';

const PUT = 'INSERT INTO cups (name) VALUES (?)';

describe('a thread that commits', () => {
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

  it('writes what was recorded, and nothing before it is asked to', async () => {
    const writes = database.record(() => database.write(PUT, 'blue'));
    expect(cups()).toEqual([]);
    await new Promise<CommitOutcome>((resolve) => thread.commit(writes, resolve));
    expect(cups()).toEqual([{ name: 'blue' }]);
  });

  it('writes all or nothing, says why in SQLite’s words and code, and goes on', async () => {
    await commit('blue');
    expect(await commit('red', 'blue')).toMatchObject({ kind: 'refused', message: expect.stringContaining('UNIQUE'), errcode: 1555 });
    expect(cups()).toEqual([{ name: 'blue' }]);
    expect(await commit('green')).toEqual({ kind: 'committed' });
  });

  it('is waited for by whoever writes next', () => {
    let outcome: CommitOutcome | null = null;
    const writes = database.record(() => database.write(PUT, 'blue'));
    thread.commit(writes, (concluded) => (outcome = concluded));
    expect([thread.isBusy(), outcome]).toEqual([true, null]);
    thread.settle();
    expect([thread.isBusy(), outcome, cups()]).toEqual([false, { kind: 'committed' }, [{ name: 'blue' }]]);
  });

  it('is waited for although the answer before it has only just been taken', async () => {
    for (let round = 0; round < 500; round++) {
      await commit(`first ${round}`);
      const writes = database.record(() => database.write(PUT, `second ${round}`));
      thread.commit(writes, () => undefined);
      thread.settle();
    }
    expect(cups()).toHaveLength(1_000);
  });

  it('does not fall far behind with its looks for room, however fast others write', () => {
    for (let write = 0; write < 1_000; write++) thread.lookForRoom();
    expect(thread['looks'] - Atomics.load(thread['state'], 1)).toBeLessThanOrEqual(17);
  });

  describe('behind a log', () => {
    it('takes the appends of one turn, and a transaction made meanwhile finds them there', async () => {
      const writer = new LogWriter(database, thread);
      const appended = writer.append('thing-1', 'none', [event('Made')]);
      while (!thread.isBusy()) await new Promise((resolve) => setImmediate(resolve));
      expect(writer.head()).toBe(0);
      const seen = database.transaction(() => writer.head());
      expect(seen).toBe(1);
      expect(await appended).toMatchObject({ kind: 'appended', position: 1 });
    });

    it('begins when enough is waiting, and not before this turn is over when it is not', async () => {
      const writer = new LogWriter(database, thread);
      const made = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, index) => writer.append(`thing-${from + index}`, 'none', [event('Made')]));
      const first = made(0, 15);
      expect(thread.isBusy()).toBe(false);
      const second = made(15, 40);
      expect(thread.isBusy()).toBe(true);
      const answers = await Promise.all([...first, ...second]);
      expect(answers.map((answer) => answer.kind === 'appended' && answer.position)).toEqual(answers.map((_, index) => index + 1));
    });

    it.each(['as expected', 'to be repeated here'])('begins no other while somebody waits for one that comes out %s', async (way) => {
      const writer = new LogWriter(database, thread);
      await writer.append('there', 'none', [event('Made')]);
      if (way === 'to be repeated here') void writer.append('there', 'none', [event('Made')]);
      else void writer.append('here', 'none', [event('Made')]);
      for (let stream = 1; stream < 40; stream++) void writer.append(`thing-${stream}`, 'none', [event('Made')]);
      const [isBusy, head] = database.transaction(() => [thread.isBusy(), writer.head()] as const);
      const written = way === 'as expected' ? 1 : 0;
      expect(isBusy).toBe(false);
      // The thread may be done with the first 16 when 16 more wait.
      expect([16, 32]).toContain(head - written);
      writer.close();
      expect(writer.head()).toBe(40 + written);
    });

    it('answers as if it had looked, when a stream that must not exist is there', async () => {
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

    it('knows up to where a type may have been written, and of what it did not write itself that it may be there', async () => {
      const before = new LogWriter(database, thread);
      await before.append('thing-1', 'none', [event('Made')]);
      const writer = new LogWriter(database, thread);
      expect([writer.mayHave(['Broken'], 0), writer.mayHave(['Made'], 1)]).toEqual([true, false]);
      await writer.append('thing-2', 'none', [event('Made'), event('Broken')]);
      await writer.append('thing-3', 'none', [event('Made')]);
      expect([1, 3, 4].map((after) => writer.mayHave(['Broken', 'Lost'], after))).toEqual([true, false, false]);
      expect([3, 4].map((after) => writer.mayHave(['Made'], after))).toEqual([true, false]);
    });

    it('is done without once it is gone; nothing answered is lost, nothing is there twice', async () => {
      const writer = new LogWriter(database, thread);
      const appends = Array.from({ length: 50 }, (_, index) => writer.append(`thing-${index}`, 'none', [event('Made')]));
      while (!thread.isBusy()) await new Promise((resolve) => setImmediate(resolve));
      await thread['worker'].terminate();
      const answers = await Promise.allSettled(appends);
      const stored = database.connection.prepare('SELECT stream FROM events').all();
      expect(stored).toHaveLength(answers.filter(({ status }) => status === 'fulfilled').length);
      const again = await Promise.all(appends.map((_, index) => writer.append(`more-${index}`, 'none', [event('Made')])));
      expect(again.every(({ kind }) => kind === 'appended')).toBe(true);
      expect(writer.head()).toBe(stored.length + 50);
    });
  });
});
