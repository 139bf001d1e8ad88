import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { closeSync, copyFileSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { manualClock } from '../../../eventsourcing/testing/manual-clock.js';
import { event, eventually, openForTest, recordingLog, temporaryFolder, type OpenForTest } from '../sqlite.fixtures.js';
import { FolderWatch } from './folder-watch.js';

/** Proves contract 24.9. */
describe('a file that is removed while its store is open', () => {
  let folder: string;
  let remove: () => void;
  let store: OpenForTest;
  beforeEach(async () => {
    ({ folder, remove } = temporaryFolder());
    store = await openForTest(folder);
    await append('thing-1');
  });
  afterEach(async () => {
    await store.close();
    remove();
  });
  const append = (stream: string) => store.events.append(stream, 'none', [event('Made')]);
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
      renameSync(join(folder, file), join(folder, 'elsewhere'));
      const reason = expect.stringContaining(`${file} was removed or replaced`);
      expect(await problemAfterCheck((problem) => problem !== null)).toEqual(reason);
      await expect(append('thing-2')).rejects.toMatchObject({ name: 'StoreUnavailable', message: reason });
      expect(store.lines).toContainEqual(expect.objectContaining({ level: 'error', fields: { reason } }));
      renameSync(join(folder, 'elsewhere'), join(folder, file));
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

describe('a large file with damage', () => {
  it('is noticed after the start', async () => {
    const { folder, remove } = temporaryFolder();
    const store = await openForTest(folder);
    for (let index = 0; index < 200; index++) await store.events.append(`thing-${index}`, 'none', [event('Made')]);
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
    remove();
  });
});
