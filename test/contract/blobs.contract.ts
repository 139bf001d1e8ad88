import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Blobs } from '../../libs/ports/blobs.port.js';

/** Blobs, and how to be rid of them. */
export type BlobsUnderTest = { readonly blobs: Blobs; readonly close: () => Promise<void> };

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What every Blobs promises. */
export const blobsContract = (name: string, make: () => Promise<BlobsUnderTest>): void => {
  describe(`${name} as a keeper of blobs`, () => {
    let blobs: Blobs;
    let close: () => Promise<void>;
    beforeEach(async () => void ({ blobs, close } = await make()));
    afterEach(() => close());

    const read = async (id: string): Promise<{ readonly bytes: Buffer; readonly length: number; readonly mediaType: string } | null> => {
      const blob = await blobs.get(id);
      if (!blob) return null;
      const pieces: Uint8Array[] = [];
      for await (const piece of blob.bytes) pieces.push(piece);
      return { bytes: Buffer.concat(pieces), length: blob.length, mediaType: blob.mediaType };
    };

    it('gives back what was put, and nothing before', async () => {
      expect(await blobs.get('a')).toBeNull();
      await blobs.put('a', bytesOf('picture'), 'image/png');
      expect(await read('a')).toEqual({ bytes: Buffer.from('picture'), length: 7, mediaType: 'image/png' });
    });

    it('keeps every byte of a big one', async () => {
      const big = Uint8Array.from({ length: 5 * 1024 * 1024 }, (_, index) => (index * 31 + (index >> 8)) & 0xff);
      await blobs.put('big', big, 'image/jpeg');
      const found = await read('big');
      expect(found?.length).toBe(big.length);
      expect(found?.bytes.equals(big)).toBe(true);
    });

    it('keeps an empty one', async () => {
      await blobs.put('empty', new Uint8Array(), 'image/png');
      expect(await read('empty')).toEqual({ bytes: Buffer.alloc(0), length: 0, mediaType: 'image/png' });
    });

    it('keeps the first of those put under one id, also when they come at once', async () => {
      await blobs.put('a', bytesOf('first'), 'image/png');
      await blobs.put('a', bytesOf('second'), 'image/jpeg');
      expect(await read('a')).toMatchObject({ bytes: Buffer.from('first'), mediaType: 'image/png' });
      const many = Array.from({ length: 10 }, (_, index) => `picture ${index}`);
      await Promise.all(many.map((text) => blobs.put('b', bytesOf(text), 'image/png')));
      const kept = (await read('b'))?.bytes.toString() ?? '';
      expect(many).toContain(kept);
      expect((await read('b'))?.bytes.toString()).toBe(kept);
    });

    it('removes one, and the others stay; what is not there does no harm', async () => {
      await blobs.put('a', bytesOf('one'), 'image/png');
      await blobs.put('b', bytesOf('two'), 'image/png');
      await blobs.delete('a');
      await blobs.delete('a');
      expect(await blobs.get('a')).toBeNull();
      expect(await read('b')).toMatchObject({ bytes: Buffer.from('two') });
      await blobs.put('a', bytesOf('anew'), 'image/png');
      expect(await read('a')).toMatchObject({ bytes: Buffer.from('anew') });
    });
  });
};
