import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { event, openForTest, temporaryFolder, type OpenForTest } from '../sqlite.fixtures.js';
import { HOLDER_FILE } from '../folder/lock.js';

describe('a folder that is moved or removed while its store is open', () => {
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
