import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FileBlobs, memoryBlobs } from '../../libs/adapters/files/index.js';
import { temporaryFolder } from '../../libs/adapters/sqlite/sqlite.fixtures.js';
import { blobsContract } from './blobs.contract.js';

const NAME = 'a folder';

blobsContract(NAME, async () => {
  const { folder, remove } = temporaryFolder();
  return {
    blobs: new FileBlobs(folder),
    async interruptPut(bytes) {
      const files = (): readonly string[] => readdirSync(join(folder, 'images'), { recursive: true }).map(String);
      mkdirSync(join(folder, 'images', 'ff'), { recursive: true });
      writeFileSync(join(folder, 'images', 'ff', 'a.b.c.0190~part'), bytes.subarray(0, 100));
      return async () => files().some((file) => file.endsWith('~part'));
    },
    close: async () => remove(),
  };
});

blobsContract('memory', async () => ({ blobs: memoryBlobs({ now: () => new Date() }), close: () => Promise.resolve() }));

describe('blobs in a folder', () => {
  let folder: string;
  let remove: () => void;
  beforeEach(() => {
    ({ folder, remove } = temporaryFolder());
    mkdirSync(folder);
  });
  afterEach(() => remove());

  it('can be read by the owner only', async () => {
    await new FileBlobs(folder).put('a.b.c', Buffer.from('x'));
    const modes = readdirSync(join(folder, 'images'), { recursive: true }).map((file) => {
      const { mode } = statSync(join(folder, 'images', String(file)));
      return (mode & 0o777).toString(8);
    });
    expect(modes.sort()).toEqual(['600', '700']);
  });

  it.each(['../a', 'a/b', '', '.a', 'a~part', 'a\0', 'a'.repeat(201)])('reject the name %j', async (name) => {
    await expect(new FileBlobs(folder).put(name, Buffer.from('x'))).rejects.toThrow('not a valid name of a blob');
    await expect(new FileBlobs(folder).open(name)).rejects.toThrow('not a valid name of a blob');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('report a folder that cannot be written to as an unavailable store', async () => {
    writeFileSync(join(folder, 'images'), '');
    await expect(new FileBlobs(folder).put('a.b.c', Buffer.from('x'))).rejects.toMatchObject({ name: 'StoreUnavailable' });
  });
});
