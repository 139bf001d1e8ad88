import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryFolder } from '../sqlite.fixtures.js';
import { openDatabase, PRAGMAS, type Database } from '../folder/database.js';
import { STORE_FILE } from '../folder/file-names.js';
import { CommitThread, type CommitOutcome } from './commit-thread.js';

const PUT = 'INSERT INTO cups (name) VALUES (?)';

describe('a commit thread', () => {
  let path: string;
  let database: Database;
  let thread: CommitThread;
  let remove: () => void;
  beforeEach(() => {
    const temporary = temporaryFolder();
    remove = temporary.remove;
    path = join(temporary.folder, STORE_FILE);
    database = openDatabase(temporary.folder, STORE_FILE);
    database.connection.exec('CREATE TABLE cups (name TEXT PRIMARY KEY) STRICT');
    thread = new CommitThread(path, PRAGMAS);
  });
  afterEach(async () => {
    await thread.close();
    database.close();
    remove();
  });

  const cups = (): unknown[] => database.connection.prepare('SELECT name FROM cups ORDER BY name').all();
  const commitAll = (work: () => void): Promise<CommitOutcome> => {
    const writes = database.record(work);
    return new Promise((resolve) => thread.commit(writes, resolve));
  };
  const commit = (...names: readonly string[]): Promise<CommitOutcome> =>
    commitAll(() => names.forEach((name) => database.write(PUT, name)));

  it('writes a recorded transaction only on commit', async () => {
    const writes = database.record(() => database.write(PUT, 'blue'));
    expect(cups()).toEqual([]);
    await new Promise<CommitOutcome>((resolve) => thread.commit(writes, resolve));
    expect(cups()).toEqual([{ name: 'blue' }]);
  });

  it('rolls back a transaction that fails, reports what SQLite refused, and commits the next one', async () => {
    await commit('blue');
    const message = expect.stringContaining('UNIQUE') as unknown;
    expect(await commit('red', 'blue')).toMatchObject({ kind: 'refused', message, errcode: 1555, statement: 1 });
    expect(cups()).toEqual([{ name: 'blue' }]);
    expect(await commit('green')).toEqual({ kind: 'committed' });
  });

  it('writes to a table that the same transaction creates', async () => {
    const outcome = await commitAll(() => {
      database.write('CREATE TABLE plates (name TEXT)');
      database.write('INSERT INTO plates (name) VALUES (?)', 'blue');
    });
    expect([outcome, database.connection.prepare('SELECT name FROM plates').all()]).toEqual([{ kind: 'committed' }, [{ name: 'blue' }]]);
  });

  it('reports a finished commit when it is polled', async () => {
    let outcome: CommitOutcome | null = null;
    const writes = database.record(() => database.write(PUT, 'blue'));
    thread.commit(writes, (reported) => (outcome = reported));
    expect([thread.isBusy(), outcome]).toEqual([true, null]);
    // No event of the thread arrives during this loop.
    while (!outcome) thread.poll();
    expect([thread.isBusy(), outcome, cups()]).toEqual([false, { kind: 'committed' }, [{ name: 'blue' }]]);
  });

  it('is replaced at the next commit after it has died', async () => {
    await commit('blue');
    await thread['running']?.worker.terminate();
    expect(await commit('green')).toEqual({ kind: 'committed' });
    const dying = commit('red');
    await thread['running']?.worker.terminate();
    expect((await dying).kind).toMatch(/^(committed|unknown)$/);
    expect(await commit('white')).toEqual({ kind: 'committed' });
  });

  it('truncates the write-ahead log, unless a reader prevents it', async () => {
    await commit('blue');
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec('BEGIN; SELECT * FROM cups');
    await commit('green');
    expect(await thread.truncate()).toBe(false);
    reader.close();
    expect([await thread.truncate(), statSync(`${path}-wal`).size]).toEqual([true, 0]);
  });
});
