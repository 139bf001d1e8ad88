import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openForTest, temporaryFolder } from '../sqlite.fixtures.js';
import { backupFolder, restoreBackup } from './backup.js';

const OPEN_TO_ALL = 0o1777;

describe('a folder that every user of the machine may write to', () => {
  let folder: string;
  let remove: () => void;
  beforeEach(() => {
    ({ folder, remove } = temporaryFolder());
    mkdirSync(folder);
    chmodSync(folder, OPEN_TO_ALL);
  });
  afterEach(() => remove());
  const modeOf = (path: string): number => statSync(path).mode & 0o7777;
  const putTheirs = (): void => writeFileSync(join(folder, 'theirs'), '');

  it('keeps its permissions when it has other files, but the store’s files are accessible only by their owner', async () => {
    putTheirs();
    for (let time = 1; time <= 2; time++) await (await openForTest(folder)).close();
    expect(modeOf(folder)).toBe(OPEN_TO_ALL);
    const files = readdirSync(folder).filter((name) => name !== 'theirs');
    expect(files.length).toBeGreaterThan(2);
    expect(files.filter((name) => (modeOf(join(folder, name)) & 0o077) !== 0)).toEqual([]);
  });

  it('is not changed by a rejected restore', async () => {
    const source = join(folder, '..', 'source');
    await (await openForTest(source)).close();
    const backup = join(folder, '..', 'backup');
    await backupFolder(source, backup);
    putTheirs();
    await expect(restoreBackup(backup, folder)).rejects.toThrow('is not empty (theirs)');
    expect([modeOf(folder), readdirSync(folder)]).toEqual([OPEN_TO_ALL, ['theirs']]);
  });

  it.each([
    ['empty', () => undefined],
    ['the root folder of a disk', () => mkdirSync(join(folder, 'lost+found'))],
  ])('gets owner-only permissions when it is %s', async (_, prepare) => {
    prepare();
    for (let time = 1; time <= 2; time++) await (await openForTest(folder)).close();
    expect(modeOf(folder)).toBe(0o700);
  });

  it('gets owner-only permissions when it contains a store', async () => {
    await (await openForTest(folder)).close();
    chmodSync(folder, OPEN_TO_ALL);
    await (await openForTest(folder)).close();
    expect(modeOf(folder)).toBe(0o700);
  });
});
