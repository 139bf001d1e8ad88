import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { append, event, openForTest, temporaryFolder } from '../sqlite.fixtures.js';
import { openDatabase, type Database } from './database.js';
import { migrate, STORE_MIGRATIONS } from './migrations.js';
import { writeStoreId } from './store-id.js';

const one = 'CREATE TABLE notes (text TEXT) STRICT';
const two = "ALTER TABLE notes ADD COLUMN colour TEXT NOT NULL DEFAULT 'white'";
const versionOf = ({ connection }: Database): unknown => connection.prepare('PRAGMA user_version').get()?.['user_version'];

describe('migrating a file', () => {
  let folder: string;
  let remove: () => void;
  let database: Database;
  beforeEach(() => {
    ({ folder, remove } = temporaryFolder());
    database = openDatabase(folder, 'notes.sqlite');
  });
  afterEach(() => {
    database.close();
    remove();
  });

  it('applies all migrations to a new file', () => {
    migrate(database, [one, two]);
    expect(versionOf(database)).toBe(2);
    database.connection.exec("INSERT INTO notes VALUES ('hello', 'red')");
  });

  it('migrates an older file step by step and keeps its data', () => {
    migrate(database, [one]);
    database.connection.exec("INSERT INTO notes VALUES ('hello')");
    migrate(database, [one, two]);
    expect(versionOf(database)).toBe(2);
    expect({ ...database.connection.prepare('SELECT * FROM notes').get() }).toEqual({ text: 'hello', colour: 'white' });
  });

  it('does not change a current file', () => {
    migrate(database, [one, two]);
    migrate(database, [one, two]);
    expect(versionOf(database)).toBe(2);
  });

  it('runs a step completely or not at all', () => {
    migrate(database, [one]);
    expect(() => migrate(database, [one, `${two}; DROP TABLE nothing_like_it`])).toThrow('nothing_like_it');
    expect(versionOf(database)).toBe(1);
    migrate(database, [one, two]);
  });

  it('rejects a newer file with an error that names the remedy', () => {
    migrate(database, [one, two]);
    expect(() => migrate(database, [one])).toThrow(/newer version.*format is 2.*reads up to 1.*start the newer version/s);
  });
});

describe('opening a folder', () => {
  let folder: string;
  let remove: () => void;
  beforeEach(() => void ({ folder, remove } = temporaryFolder()));
  afterEach(() => remove());

  it('creates the tables in the files of a new store that contain only the store id', async () => {
    // The state after a first start that was killed just after it had written the id into the files.
    Array.from(writeStoreId(folder, { id: '0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c93', isNew: true }));
    const store = await openForTest(folder);
    await append(store, 'thing-1', event('Made'));
    await store.close();
  });

  it('rejects a newer store without changing it (contract 28.9)', async () => {
    const store = await openForTest(folder);
    await append(store, 'thing-1', event('Made'));
    await store.close();
    const file = new DatabaseSync(join(folder, 'petstore.sqlite'));
    const newer = STORE_MIGRATIONS.length + 1;
    file.exec(`PRAGMA user_version = ${newer}`);
    await expect(openForTest(folder)).rejects.toMatchObject({
      name: 'FolderRefused',
      refusal: 'newer',
      message: expect.stringContaining(`format is ${newer}`),
    });
    expect(file.prepare('SELECT count(*) AS events FROM events').get()).toMatchObject({ events: 1 });
    file.exec(`PRAGMA user_version = ${STORE_MIGRATIONS.length}`);
    file.close();
    await (await openForTest(folder)).close();
  });
});
