import { createHash, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import type { Blobs } from '../../libs/ports/blobs.port.js';

/** A store of blobs, a function that simulates an interrupted `put`, and a function that closes the store. */
export type BlobsUnderTest = {
  readonly blobs: Blobs;
  /**
   * Stores the unfinished data that remains after a process is killed during `put`. Returns a function that returns whether any
   * of that data is still stored.
   */
  readonly interruptPut?: (bytes: Uint8Array) => Promise<() => Promise<boolean>>;
  readonly close: () => Promise<void>;
};

const bytesOf = async (parts: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  for await (const piece of parts) pieces.push(piece);
  return Buffer.concat(pieces);
};
/** Returns that many bytes without a repeated pattern, so that two chunks of the store always differ. */
const bytesOfLength = (length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at += 32) createHash('sha256').update(String(at)).digest().copy(bytes, at);
  return bytes;
};
const newName = (): string => `${randomUUID()}.${randomUUID()}.aB_-9`;
/** Waits until the clock shows a later millisecond. */
const pastMillisecond = (time: Date): Promise<true> => eventually('a later time', () => (Date.now() > time.getTime() ? true : null));
const FUTURE = new Date(Date.now() + 86_400_000);

/** The contract of Blobs. It proves contract 37.8. */
export const blobsContract = (name: string, make: () => Promise<BlobsUnderTest>): void => {
  describe(`${name} as a store of blobs`, () => {
    let blobs: Blobs;
    let underTest: BlobsUnderTest;
    beforeEach(async () => void ({ blobs } = underTest = await make()));
    afterEach(() => underTest.close());
    const read = async (blob: string, ...range: readonly number[]): Promise<Buffer | null> => {
      const open = await blobs.open(blob);
      return open && bytesOf(open.read(...range));
    };
    const names = async (): Promise<readonly string[]> => {
      const all: string[] = [];
      for await (const blob of blobs.list()) all.push(blob.name);
      return all.sort();
    };

    it.each([0, 1, 261_120, 1_500_000])('returns the %d bytes that were put', async (length) => {
      const [blob, bytes] = [newName(), bytesOfLength(length)];
      await blobs.put(blob, bytes);
      expect((await blobs.open(blob))?.size).toBe(length);
      expect((await read(blob))?.equals(bytes)).toBe(true);
    });

    it('keeps its bytes when the caller overwrites the buffer', async () => {
      const [name, bytes] = [newName(), Buffer.from('pixels')];
      await blobs.put(name, bytes);
      bytes.fill(0);
      expect(await read(name)).toEqual(Buffer.from('pixels'));
    });

    it('returns ranges of the bytes', async () => {
      const [blob, bytes] = [newName(), bytesOfLength(600_000)];
      await blobs.put(blob, bytes);
      for (const [from, to] of [
        [0, 1],
        [0, 600_000],
        [599_999, 600_000],
        [261_119, 261_121],
        [100, 100],
        [300_000, 600_000],
      ] as const)
        expect([from, to, (await read(blob, from, to))?.equals(bytes.subarray(from, to))]).toEqual([from, to, true]);
      expect((await read(blob, 500_000))?.equals(bytes.subarray(500_000))).toBe(true);
    });

    it('has no blob that was never put', async () => expect(await blobs.open(newName())).toBeNull());

    it('stores a blob once when it is put several times, also concurrently', async () => {
      const [blob, bytes] = [newName(), bytesOfLength(300_000)];
      await Promise.all([blobs.put(blob, bytes), blobs.put(blob, bytes), blobs.put(blob, bytes)]);
      await blobs.put(blob, bytes);
      expect((await read(blob))?.equals(bytes)).toBe(true);
      await blobs.remove(blob);
      expect(await blobs.open(blob)).toBeNull();
    });

    it('removes a blob, and leaves the others', async () => {
      const [one, other] = [newName(), newName()];
      await blobs.put(one, bytesOfLength(10));
      await blobs.put(other, bytesOfLength(10));
      await blobs.remove(one);
      await blobs.remove(one);
      expect(await blobs.open(one)).toBeNull();
      expect(await names()).toEqual([other]);
    });

    it('keeps a blob that was put again after the given time, because an upload may refer to it', async () => {
      const [blob, bytes] = [newName(), bytesOfLength(10)];
      await blobs.put(blob, bytes);
      const sweep = new Date();
      await pastMillisecond(sweep);
      await blobs.put(blob, bytes);
      await blobs.remove(blob, sweep);
      expect((await read(blob))?.equals(bytes)).toBe(true);
      await blobs.remove(blob, FUTURE);
      expect(await blobs.open(blob)).toBeNull();
    });

    it('lists every blob with the time when it was put', async () => {
      const all = Array.from({ length: 30 }, newName).sort();
      const before = Date.now() - 5_000;
      for (const blob of all) await blobs.put(blob, bytesOfLength(3));
      expect(await names()).toEqual(all);
      for await (const { storedAt } of blobs.list()) expect(Math.abs(storedAt.getTime() - before)).toBeLessThan(60_000);
    });

    it('lists nothing if nothing was put', async () => {
      expect(await names()).toEqual([]);
      await blobs.removeUnfinished(FUTURE);
    });

    it('removes what an interrupted put left behind, and keeps every blob', async () => {
      if (!underTest.interruptPut) return;
      const [blob, bytes] = [newName(), bytesOfLength(600_000)];
      await blobs.put(blob, bytes);
      const isLeft = await underTest.interruptPut(bytes);
      expect(await names()).toEqual([blob]);
      await blobs.removeUnfinished(new Date(Date.now() - 3_600_000));
      expect(await isLeft()).toBe(true);
      await blobs.removeUnfinished(FUTURE);
      expect(await isLeft()).toBe(false);
      expect((await read(blob))?.equals(bytes)).toBe(true);
    });
  });
};
