import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { append, event, openForTest, temporaryFolder, things, thingsProjector } from '../sqlite.fixtures.js';
import { openDatabase, PRAGMAS } from './database.js';
import { STORE_FILE } from './file-names.js';
import { yieldToEventLoop } from '../../../eventsourcing/scheduling/yield-to-event-loop.js';

const projectors = [thingsProjector()];
const permissionsOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('a store', () => {
  let folder: string;
  let remove: () => void;
  beforeEach(() => void ({ folder, remove } = temporaryFolder()));
  afterEach(() => remove());

  it('has a folder and files that are accessible only by their owner', async () => {
    const store = await openForTest(folder, { projectors });
    await append(store, 'thing-1', event('Made', { kind: 'cup' }));
    await store.keys.serviceKey('signing');
    expect(permissionsOf(folder)).toBe('700');
    const files = readdirSync(folder).sort();
    expect(files).toEqual(
      expect.arrayContaining([
        'holder.json',
        'keys.sqlite',
        'lock.sqlite',
        'petstore.sqlite',
        'petstore.sqlite-shm',
        'petstore.sqlite-wal',
      ]),
    );
    expect(files.map((file) => permissionsOf(join(folder, file)))).toEqual(files.map(() => '600'));
    await store.close();
  });

  it('gets owner-only permissions when it is opened', async () => {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    await (await openForTest(folder)).close();
    chmodSync(join(folder, 'petstore.sqlite'), 0o644);
    chmodSync(folder, 0o755);
    const store = await openForTest(folder);
    expect([permissionsOf(folder), permissionsOf(join(folder, 'petstore.sqlite'))]).toEqual(['700', '600']);
    await store.close();
  });

  it('has the same permissions under any umask', async () => {
    const before = process.umask(0o777);
    const store = await openForTest(folder).finally(() => process.umask(before));
    expect(permissionsOf(folder)).toBe('700');
    expect(readdirSync(folder).map((file) => permissionsOf(join(folder, file)))).toContain('600');
    expect(readdirSync(folder).filter((file) => file.endsWith('.sqlite') && permissionsOf(join(folder, file)) !== '600')).toEqual([]);
    await store.close();
  });

  it('keeps all events and documents after a restart', async () => {
    let store = await openForTest(folder, { projectors });
    await append(store, 'thing-1', event('Made', { kind: 'cup' }), event('Changed', { kind: 'mug' }));
    const log = await store.events.readAll(0, 10);
    await store.close();
    store = await openForTest(folder, { projectors });
    expect(await store.events.readAll(0, 10)).toEqual(log);
    expect(store.head()).toBe(2);
    expect(await store.documents.find(things, { where: { kind: 'mug' }, sort: [], limit: 10, offset: 0 })).toHaveLength(1);
    await append(store, 'thing-2', event('Made', { kind: 'cup' }));
    expect((await store.events.readAll(2, 10)).map(({ position }) => position)).toEqual([3]);
    expect(await store.documents.sum(things, {}, 'kind')).toEqual({ mug: 1, cup: 1 });
    await store.close();
  });

  it('is opened with synchronous=FULL by every connection', async () => {
    const store = await openForTest(folder);
    const other = new DatabaseSync(join(folder, STORE_FILE));
    other.exec(PRAGMAS);
    const own = openDatabase(folder, STORE_FILE);
    const FULL = 2;
    for (const connection of [other, own.connection]) expect(connection.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: FULL });
    other.close();
    own.close();
    await store.close();
  });

  it('keeps every acknowledged append after its process was killed', async () => {
    const store = await openForTest(folder, { projectors });
    for (let index = 0; index < 20; index++) await append(store, `thing-${index}`, event('Made', { kind: 'cup' }));
    // The copy has the files as a kill would leave them. Another process makes it, because closing a file in
    // this process would release the locks on it.
    const killed = `${folder}-killed`;
    execFileSync('cp', ['-r', folder, killed]);
    await store.close();
    const again = await openForTest(killed, { projectors });
    expect(again.head()).toBe(20);
    expect(await again.documents.sum(things, {})).toEqual({ '': 20 });
    await append(again, 'thing-1', event('Changed', { kind: 'mug' }));
    await again.close();
  });

  it('completes pending appends on close, and leaves no write-ahead log', async () => {
    const store = await openForTest(folder, { projectors });
    const appending = store.events.append('thing-1', 'none', [event('Made', { kind: 'cup' })]);
    await store.close();
    expect(await appending).toMatchObject({ kind: 'appended' });
    expect(readdirSync(folder).filter((file) => file.endsWith('-wal'))).toEqual([]);
    const again = await openForTest(folder, { projectors });
    expect(again.head()).toBe(1);
    await again.close();
  });

  it('in memory also completes pending appends on close', async () => {
    const store = await openForTest(':memory:');
    const appending = store.events.append('thing-1', 'none', [event('Made', { kind: 'cup' })]);
    await store.close();
    expect(await appending).toMatchObject({ kind: 'appended' });
  });

  it('rejects further use with StoreUnavailable after close', async () => {
    const store = await openForTest(folder, { projectors });
    const followed = (async () => {
      for await (const { caughtUp } of store.events.subscribe(0, new AbortController().signal)) expect(caughtUp).toBe(true);
    })();
    await yieldToEventLoop();
    await Promise.all([store.close(), expect(followed).rejects.toMatchObject({ name: 'StoreUnavailable' })]);
    await store.close();
    await expect(store.events.append('thing-1', 'none', [event('Made')])).rejects.toMatchObject({ name: 'StoreUnavailable' });
    await expect(store.events.readAll(0, 1)).rejects.toMatchObject({ name: 'StoreUnavailable' });
    await expect(store.documents.get(things, '1')).rejects.toMatchObject({ name: 'StoreUnavailable' });
  });

  it('cannot be opened when its folder is a file', async () => {
    mkdirSync(join(folder, '..'), { recursive: true });
    execFileSync('touch', [folder]);
    await expect(openForTest(folder)).rejects.toMatchObject({ name: 'FolderRefused', refusal: 'unusable' });
  });

  it('cannot be opened where the system allows no folder', async () => {
    await expect(openForTest('/proc/petstore/data')).rejects.toMatchObject({ name: 'FolderRefused', refusal: 'unusable' });
  });

  it('in memory creates no files', async () => {
    const before = readdirSync('.');
    const store = await openForTest(':memory:', { projectors });
    await append(store, 'thing-1', event('Made', { kind: 'cup' }));
    await store.close();
    expect(readdirSync('.')).toEqual(before);
  });
});
