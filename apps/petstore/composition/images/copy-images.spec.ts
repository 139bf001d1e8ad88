import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { memoryBlobs } from '../../../../libs/adapters/files/index.js';
import type { Blobs } from '../../../../libs/ports/blobs.port.js';
import { copyImages, damageWarning } from './copy-images.js';
import { override } from '../../../../libs/eventsourcing/testing/override.js';

const bytes = Buffer.from('bytes of an image');
const named = (of: Uint8Array): string => `pet.image.${createHash('sha256').update(of).digest('base64url')}`;
const clock = { now: () => new Date() };
const read = async (blobs: Blobs, name: string): Promise<string> => {
  let text = '';
  for await (const piece of (await blobs.open(name))?.read() ?? []) text += Buffer.from(piece).toString();
  return text;
};

/** Proves contract 37.10. */
describe('copying images', () => {
  it('copies each image once, and new images in the next run', async () => {
    const [from, to] = [memoryBlobs(clock), memoryBlobs(clock)];
    await from.put(named(bytes), bytes);
    await copyImages(from, to);
    const other = Buffer.from('other bytes');
    await from.put(named(other), other);
    await copyImages(from, to);
    expect([await read(to, named(bytes)), await read(to, named(other))]).toEqual(['bytes of an image', 'other bytes']);
  });

  it('skips an image that is removed while the copy runs', async () => {
    const [from, to] = [memoryBlobs(clock), memoryBlobs(clock)];
    await from.put(named(bytes), bytes);
    await copyImages(override(from, { open: () => Promise.resolve(null) }), to);
    expect(await to.open(named(bytes))).toBeNull();
  });

  it('copies a damaged image unchanged, and reports its name', async () => {
    const [from, to] = [memoryBlobs(clock), memoryBlobs(clock)];
    await from.put(named(bytes), Buffer.from('bytes of an imagE'));
    expect(await copyImages(from, to)).toEqual([named(bytes)]);
    expect(await read(to, named(bytes))).toBe('bytes of an imagE');
    expect(damageWarning([named(bytes)])).toContain(named(bytes));
    expect(damageWarning([])).toBeNull();
  });
});
