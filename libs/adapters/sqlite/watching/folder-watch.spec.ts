import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { closeSync, copyFileSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { manualClock } from '../../../eventsourcing/testing/manual-clock.js';
import { HOLDER_FILE } from '../folder/lock.js';
import { event, eventually, openForTest, recordingLog, temporaryFolder, type OpenForTest } from '../sqlite.fixtures.js';
import { FolderWatch } from './folder-watch.js';

let folder: string;
let elsewhere: string;
let remove: () => void;
let store: OpenForTest;
beforeEach(async () => {
  ({ folder, remove } = temporaryFolder());
  elsewhere = join(folder, '..', 'elsewhere');
  store = await openForTest(folder);
  await append('thing-1');
});
afterEach(async () => {
  await store.close();
  remove();
});
const append = (stream: string) => store.events.append(stream, 'none', [event('Made')]);

/** Proves contract 24.9. */
describe('a file that is removed while its store is open', () => {
  /** Lets seconds pass until the check has found what is expected. */
  const problemAfterCheck = async (isExpected: (problem: string | null) => boolean): Promise<string | null> => {
    let problem: string | null = null;
    await eventually(async () => {
      store.clock.advance(1_000);
      return isExpected((problem = await store.whyNotWritable()));
    });
    return problem;
  };
  const eventsIn = (path: string): number => {
    const database = new DatabaseSync(path);
    try {
      return Number(database.prepare('SELECT count(*) AS events FROM events').get()?.['events']);
    } catch {
      // The table itself is still in the -wal file.
      return 0;
    } finally {
      database.close();
    }
  };

  it.each(['petstore.sqlite-wal', 'petstore.sqlite-shm', 'keys.sqlite', 'keys.sqlite-wal', 'keys.sqlite-shm', 'gateway.sqlite'])(
    'is noticed within a second: writes are rejected, and the reason is known, until it is put back: %s',
    async (file) => {
      renameSync(join(folder, file), elsewhere);
      const reason = expect.stringContaining(`${file} was removed or replaced`);
      expect(await problemAfterCheck((problem) => problem !== null)).toEqual(reason);
      await expect(append('thing-2')).rejects.toMatchObject({ name: 'StoreUnavailable', message: reason });
      expect(store.lines).toContainEqual(expect.objectContaining({ level: 'error', fields: { reason } }));
      renameSync(elsewhere, join(folder, file));
      expect(await problemAfterCheck((problem) => problem === null)).toBeNull();
      expect(await append('thing-2')).toMatchObject({ kind: 'appended' });
    },
  );

  it('takes no acknowledged event with it: the events of the -wal file are saved at once', async () => {
    rmSync(join(folder, 'petstore.sqlite-wal'));
    await eventually(() => {
      store.clock.advance(1_000);
      copyFileSync(join(folder, 'petstore.sqlite'), join(folder, 'copy.sqlite'));
      return eventsIn(join(folder, 'copy.sqlite')) === 1;
    });
  });
});

describe('a folder that is moved or removed while its store is open', () => {
  const MOVED = expect.stringContaining('moved, removed or replaced');
  const refusal = expect.objectContaining({ name: 'StoreUnavailable', message: MOVED });

  it.each([
    // Retries, because the open store may create a file between the removal of the files and the removal of the folder.
    ['removed', () => rmSync(folder, { recursive: true, maxRetries: 10 })],
    ['moved', () => renameSync(folder, elsewhere)],
  ])('rejects appends after it is %s, and still allows reads', async (_, moveAway) => {
    moveAway();
    await expect(append('thing-2')).rejects.toEqual(refusal);
    await expect(Promise.all(Array.from({ length: 40 }, (__, index) => append(`thing-${index + 3}`)))).rejects.toEqual(refusal);
    expect([store.head(), await store.whyNotWritable()]).toEqual([1, MOVED]);
    expect(await store.events.readStream('thing-1')).toHaveLength(1);
  });

  it('accepts writes again after it is moved back', async () => {
    renameSync(folder, elsewhere);
    await expect(append('thing-2')).rejects.toEqual(refusal);
    renameSync(elsewhere, folder);
    expect(await append('thing-2')).toMatchObject({ kind: 'appended', position: 2 });
    expect(await store.whyNotWritable()).toBeNull();
  });

  it('rejects writes after another store has replaced it, and keeps the holder file of that store', async () => {
    renameSync(folder, elsewhere);
    const other = await openForTest(folder);
    other.announce('http://127.0.0.1:3999');
    await expect(append('thing-2')).rejects.toEqual(refusal);
    expect(await store.whyNotWritable()).toEqual(MOVED);
    await store.close();
    expect(readFileSync(join(folder, HOLDER_FILE), 'utf8')).toContain('127.0.0.1:3999');
    await other.close();
  });

  it('gets no file of its store if another folder replaces it while the threads of the store start', async () => {
    const started = await openForTest(join(folder, '..', 'started'));
    renameSync(join(folder, '..', 'started'), elsewhere);
    mkdirSync(join(folder, '..', 'started'));
    // Waits until the threads have ended.
    await started.close();
    expect(readdirSync(join(folder, '..', 'started'))).toEqual([]);
  });
});

describe('a large file with damage', () => {
  it('is noticed after the start', async () => {
    for (let index = 0; index < 200; index++) await append(`large-${index}`);
    await store.close();
    const file = openSync(join(folder, 'petstore.sqlite'), 'r+');
    // Overwrites pages behind the first ones, which describe the tables.
    writeSync(file, Buffer.alloc(65_536, 0x55), 0, 65_536, 40_960);
    closeSync(file);
    const log = recordingLog();
    const watch = new FolderWatch({ directory: folder, clock: manualClock(), log, onLostFile: () => undefined, largerThan: 0 });
    await watch.start();
    await eventually(() => watch.problem() !== null);
    const problem = watch.problem();
    expect(problem).toMatch(/^petstore\.sqlite is damaged: .*restore a backup/);
    expect(log.lines).toEqual([expect.objectContaining({ level: 'error', fields: { reason: problem } })]);
    await watch.close();
  });
});
