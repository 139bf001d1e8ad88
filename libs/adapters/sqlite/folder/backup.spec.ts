import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { append, event, openForTest, temporaryFolder, things, thingsProjector, type OpenForTest } from '../sqlite.fixtures.js';
import { backupFolder, restoreBackup } from './backup.js';

const projectors = [thingsProjector()];

describe('a backup', () => {
  let folder: string;
  let remove: () => void;
  let store: OpenForTest;
  const beside = (name: string): string => join(folder, '..', name);
  beforeEach(async () => {
    ({ folder, remove } = temporaryFolder());
    store = await openForTest(folder, { projectors });
    for (let index = 0; index < 50; index++) await append(store, `thing-${index}`, event('Made', { kind: 'cup', text: 'x'.repeat(5_000) }));
    await store.keys.serviceKey('signing');
    new DatabaseSync(join(folder, 'gateway.sqlite')).exec('CREATE TABLE ledger (charge TEXT)');
  });
  afterEach(async () => {
    await store.close();
    remove();
  });

  it('of a live folder is a complete snapshot with every database except the lock', async () => {
    let writing = true;
    const writer = (async () => {
      for (let revision = -1; writing; revision++)
        await store.events.append('thing-busy', revision < 0 ? 'none' : revision, [event('Made', { kind: 'cup' })]);
    })();
    await backupFolder(folder, beside('copy'));
    writing = false;
    await writer;
    expect(readdirSync(beside('copy')).sort()).toEqual(['gateway.sqlite', 'keys.sqlite', 'petstore.sqlite']);
    const copy = await openForTest(beside('copy'), { projectors });
    const log = await copy.events.readAll(0, 1_000_000);
    expect(log.length).toBeGreaterThanOrEqual(50);
    expect(log).toEqual(await store.events.readAll(0, log.length));
    expect(await copy.documents.count(things, {})).toBe(new Set(log.map(({ stream }) => stream)).size);
    expect(await copy.keys.serviceKey('signing')).toEqual(await store.keys.serviceKey('signing'));
    await copy.close();
  });

  it('is intact and accessible only by its owner', async () => {
    await backupFolder(folder, beside('copy'));
    for (const file of readdirSync(beside('copy'))) {
      const database = new DatabaseSync(join(beside('copy'), file), { readOnly: true });
      expect(database.prepare('PRAGMA integrity_check').all()).toEqual([expect.objectContaining({ integrity_check: 'ok' })]);
      database.close();
      expect((statSync(join(beside('copy'), file)).mode & 0o777).toString(8)).toBe('600');
    }
    expect((statSync(beside('copy')).mode & 0o777).toString(8)).toBe('700');
  });

  it.each([
    ['where the system allows no folder', () => '/proc/petstore'],
    ['in place of a file', () => join(folder, '..', 'file')],
    ['below a file', () => join(folder, '..', 'file', 'copy')],
    ['inside the copied folder', () => join(folder, 'copy')],
  ])('cannot be made %s', async (_, pathOf) => {
    const to = pathOf();
    writeFileSync(beside('file'), 'mine', { mode: 0o644 });
    await expect(backupFolder(folder, to)).rejects.toMatchObject({ name: 'FolderRefused', refusal: 'unusable' });
    expect((statSync(beside('file')).mode & 0o777).toString(8)).toBe('644');
  });

  it('reports its progress for each file: the log first, the keys last', async () => {
    const reached = new Map<string, number>();
    await backupFolder(folder, beside('copy'), ({ file, copiedPages, totalPages }) => reached.set(file, copiedPages / totalPages));
    expect([...reached]).toEqual([
      ['petstore.sqlite', 1],
      ['gateway.sqlite', 1],
      ['keys.sqlite', 1],
    ]);
  });

  it('requires an empty folder', async () => {
    mkdirSync(beside('full'));
    writeFileSync(join(beside('full'), 'note.txt'), 'mine');
    await expect(backupFolder(folder, beside('full'))).rejects.toMatchObject({ name: 'FolderRefused', refusal: 'not_empty' });
    expect(readdirSync(beside('full'))).toEqual(['note.txt']);
  });

  it('that was stopped leaves files that no command accepts as a backup, and the error names them', async () => {
    // Copies the backup at each report of progress, because a kill at that moment would leave it in this state.
    let moments = 0;
    await backupFolder(folder, beside('copy'), () => cpSync(beside('copy'), beside(`stopped-${++moments}`), { recursive: true }));
    expect(moments).toBeGreaterThanOrEqual(6);
    for (let moment = 1; moment <= moments; moment++) {
      const stopped = beside(`stopped-${moment}`);
      const names = readdirSync(stopped);
      await expect(backupFolder(folder, stopped)).rejects.toMatchObject({
        refusal: 'not_empty',
        message: expect.stringMatching(/is not empty \(\w+\.sqlite\.part[-a-z]*\): .*stopped.*may be removed/),
      });
      expect(readdirSync(stopped)).toEqual(names);
      await expect(restoreBackup(stopped, beside('restored'))).rejects.toMatchObject({
        refusal: 'incomplete',
        message: expect.stringContaining('did not finish'),
      });
    }
    writeFileSync(join(beside('stopped-1'), 'note.txt'), 'mine');
    await expect(backupFolder(folder, beside('stopped-1'))).rejects.toThrow('is not empty (note.txt): choose an empty folder');
  });

  it('requires a folder with a store', async () => {
    await expect(backupFolder(beside('nothing'), beside('copy'))).rejects.toMatchObject({ refusal: 'not_a_store' });
    await expect(backupFolder(':memory:', beside('copy'))).rejects.toMatchObject({ refusal: 'not_a_store' });
  });

  it('can be restored to an empty folder', async () => {
    await backupFolder(folder, beside('copy'));
    await restoreBackup(beside('copy'), beside('restored'));
    const restored = await openForTest(beside('restored'), { projectors });
    expect(await restored.events.readAll(0, 100)).toEqual(await store.events.readAll(0, 100));
    expect(await restored.keys.serviceKey('signing')).toEqual(await store.keys.serviceKey('signing'));
    await restored.close();
  });

  it('is not restored over another store, whether a process uses it or not', async () => {
    await backupFolder(folder, beside('copy'));
    await expect(restoreBackup(beside('copy'), folder)).rejects.toMatchObject({ refusal: 'held' });
    await store.close();
    await expect(restoreBackup(beside('copy'), folder)).rejects.toMatchObject({ refusal: 'not_empty' });
  });

  /** Proves contract 24.9. */
  it('that is copied over the files of a killed process is rejected until their -wal files are removed', async () => {
    await backupFolder(folder, beside('copy'));
    await append(store, 'thing-late', event('Made', { kind: 'cup' }));
    const killed = beside('killed');
    cpSync(folder, killed, { recursive: true });
    cpSync(beside('copy'), killed, { recursive: true });
    await expect(openForTest(killed)).rejects.toMatchObject({
      refusal: 'damaged',
      message: expect.stringContaining(
        'petstore.sqlite was copied from a backup, but petstore.sqlite-wal belongs to the file that it replaced',
      ),
    });
    for (const file of readdirSync(killed).filter((name) => /-(wal|shm)$/.test(name))) rmSync(join(killed, file));
    const used = await openForTest(killed);
    expect(await used.events.readAll(0, 100)).toHaveLength(50);
    // From now on, the files are those of a store, and so are their -wal files.
    await append(used, 'thing-late', event('Made', { kind: 'cup' }));
    cpSync(killed, beside('killed again'), { recursive: true });
    const again = await openForTest(beside('killed again'));
    expect(await again.events.readAll(0, 100)).toHaveLength(51);
    await again.close();
    await used.close();
  });

  it('is not restored when it is damaged', async () => {
    await backupFolder(folder, beside('copy'));
    const file = join(beside('copy'), 'petstore.sqlite');
    writeFileSync(file, Buffer.alloc(20_000, 7), { flag: 'r+' });
    await expect(restoreBackup(beside('copy'), beside('restored'))).rejects.toMatchObject({ refusal: 'damaged' });
  });
});
