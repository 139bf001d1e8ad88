import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { append, event, openForTest, temporaryFolder } from '../sqlite.fixtures.js';
import { backupFolder, restoreBackup } from './backup.js';
import { openFolder, type AreKeysOf } from './open-folder.js';
import { ID_TABLE, STORE_FILES } from './store-files.js';
import { writeStoreId, storeIdOf, PENDING_ID_FILE } from './store-id.js';
import { manualClock } from '../../../eventsourcing/testing/manual-clock.js';

const UUID = /^[0-9a-f-]{36}$/;
const A = '0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c93';

describe('the id of a store', () => {
  let folder: string;
  let remove: () => void;
  const beside = (name: string): string => join(folder, '..', name);
  const inFile = (file: string, sql: string): unknown[] => {
    const database = new DatabaseSync(join(folder, file));
    try {
      return database.prepare(sql).all();
    } finally {
      database.close();
    }
  };
  const idsInFiles = (): readonly unknown[] =>
    STORE_FILES.flatMap((file) => inFile(file, `SELECT id FROM ${ID_TABLE}`)).map((row) => (row as { id: string }).id);
  const fill = async (place = folder): Promise<void> => {
    const store = await openForTest(place);
    await append(store, 'thing-1', event('Made', { sealed: { $sealed: 'abc', subject: 'ann' } }));
    await store.keys.serviceKey('idempotency');
    await store.close();
  };
  const makeWithoutId = async (): Promise<void> => {
    await fill();
    for (const file of STORE_FILES) inFile(file, `DROP TABLE ${ID_TABLE}`);
  };
  const open = async (areKeysOf?: AreKeysOf): Promise<string | null> => {
    const opened = await openFolder(folder, manualClock(), areKeysOf);
    await opened.keys.close();
    opened.lock?.release();
    return opened.storeId;
  };

  beforeEach(() => void ({ folder, remove } = temporaryFolder()));
  afterEach(() => remove());

  it('is created with the store, is in every file, and never changes', async () => {
    await fill();
    const [id, ...others] = idsInFiles();
    expect(id).toMatch(UUID);
    expect(others).toEqual([id, id]);
    expect([storeIdOf(folder), await open(), idsInFiles()]).toEqual([id, id, [id, id, id]]);
    expect(existsSync(join(folder, PENDING_ID_FILE))).toBe(false);
  });

  it('differs for every store, and is the same in a backup and after a restore', async () => {
    await fill();
    await fill(beside('other'));
    expect(storeIdOf(beside('other'))).not.toBe(storeIdOf(folder));
    await backupFolder(folder, beside('copy'));
    await restoreBackup(beside('copy'), beside('restored'));
    expect([storeIdOf(beside('copy')), storeIdOf(beside('restored'))]).toEqual([storeIdOf(folder), storeIdOf(folder)]);
  });

  it.each([...STORE_FILES.keys(), 3, 4])('is in all files after the next start when a crash follows step %i', async (steps) => {
    const making = writeStoreId(folder, { id: A, isNew: true });
    for (let step = 0; step <= steps; step++) making.next();
    if (steps < 4) expect(() => storeIdOf(folder)).toThrow('"petstore start" completes it');
    expect(await open()).toBe(A);
    expect(idsInFiles()).toEqual([A, A, A]);
    expect(existsSync(join(folder, PENDING_ID_FILE))).toBe(false);
  });

  it('is written to all files when one of them is still empty', async () => {
    writeStoreId(folder, { id: A, isNew: true }).next();
    writeFileSync(join(folder, 'keys.sqlite'), '');
    expect(await open()).toBe(A);
  });

  it('is added to files of an older release if the keys belong to the log', async () => {
    await makeWithoutId();
    expect(storeIdOf(folder)).toBeNull();
    const received: string[] = [];
    const id = await open(async (keys, sealed) => {
      received.push(...sealed, String((await keys.lookUp('service', 'idempotency'))?.length), String(await keys.lookUp('personal', 'ann')));
      return true;
    });
    expect(received).toEqual(['{"sealed":{"$sealed":"abc","subject":"ann"}}', '32', 'undefined']);
    expect(idsInFiles()).toEqual([id, id, id]);
  });

  it('is not added to files of an older release with other keys', async () => {
    await makeWithoutId();
    await expect(open(() => Promise.resolve(false))).rejects.toMatchObject({
      refusal: 'foreign',
      message: expect.stringMatching(/keys\.sqlite does not decrypt.*petstore restore/s),
    });
    expect(storeIdOf(folder)).toBeNull();
  });

  it.each([0, 1, 2, 3])('is added to all files of an older release by the next start when a crash follows step %i', async (steps) => {
    await makeWithoutId();
    const writing = writeStoreId(folder, { id: A, isNew: false });
    for (let step = 0; step <= steps; step++) writing.next();
    expect(await open(() => Promise.resolve(false))).toBe(A);
    expect(idsInFiles()).toEqual([A, A, A]);
  });

  it('is not added to the other files when a file of an older release is missing', async () => {
    await makeWithoutId();
    writeStoreId(folder, { id: A, isNew: false }).next();
    rmSync(join(folder, 'keys.sqlite'));
    await expect(open()).rejects.toMatchObject({ refusal: 'incomplete', message: expect.stringContaining('keys.sqlite is missing') });
  });

  describe.each(STORE_FILES)('cannot be read when %s', (file) => {
    const expectRefusal = async (refusal: string, words: RegExp): Promise<void> => {
      const before = existsSync(join(folder, file)) ? readFileSync(join(folder, file)) : null;
      const error = { name: 'FolderRefused', refusal, message: expect.stringMatching(words) };
      await expect(open()).rejects.toMatchObject(error);
      expect(() => storeIdOf(folder)).toThrow(words);
      await expect(backupFolder(folder, beside('copy'))).rejects.toMatchObject(error);
      await expect(restoreBackup(folder, beside('restored'))).rejects.toMatchObject({ refusal, message: expect.stringContaining(file) });
      expect([existsSync(beside('copy')), existsSync(beside('restored'))]).toEqual([false, false]);
      expect(existsSync(join(folder, file)) ? readFileSync(join(folder, file)) : null).toEqual(before);
    };
    beforeEach(() => fill());

    it('is missing', async () => {
      rmSync(join(folder, file));
      await expectRefusal('incomplete', new RegExp(`${file} is missing.*petstore restore`, 's'));
    });

    it('is empty', async () => {
      truncateSync(join(folder, file), 0);
      await expectRefusal('incomplete', new RegExp(`${file} is empty.*petstore restore`, 's'));
    });

    it('is a new database', async () => {
      rmSync(join(folder, file));
      new DatabaseSync(join(folder, file)).exec('CREATE TABLE things (name TEXT)');
      await expectRefusal('foreign', new RegExp(`${file} has no store id.*petstore restore`, 's'));
    });

    it('is a file of another store', async () => {
      await fill(beside('other'));
      cpSync(join(beside('other'), file), join(folder, file));
      await expectRefusal('foreign', new RegExp(`different stores.*${file} has the store id.*petstore restore`, 's'));
    });

    it('is a folder', async () => {
      rmSync(join(folder, file));
      mkdirSync(join(folder, file));
      await expect(open()).rejects.toMatchObject({
        refusal: 'damaged',
        message: expect.stringMatching(`${file} cannot be used: it is a folder`),
      });
    });

    it('is not a database', async () => {
      writeFileSync(join(folder, file), Buffer.alloc(100, 7), { flag: 'r+' });
      await expectRefusal('damaged', new RegExp(`${file} cannot be used: .*not a database.*petstore restore`, 's'));
    });
  });

  it('is not created in a folder with an unfinished restore', async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'petstore.sqlite.part'), '');
    await expect(open()).rejects.toMatchObject({ refusal: 'incomplete', message: expect.stringMatching(/did not finish.*restore again/) });
  });

  it('is not created in a folder with the write-ahead log of another store', async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'petstore.sqlite-wal'), 'x');
    await expect(open()).rejects.toMatchObject({ refusal: 'incomplete', message: expect.stringContaining('petstore.sqlite is missing') });
  });

  it('is not read from an invalid store-id.json', async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, PENDING_ID_FILE), '{');
    await expect(open()).rejects.toMatchObject({ refusal: 'damaged', message: expect.stringContaining(PENDING_ID_FILE) });
  });
});
