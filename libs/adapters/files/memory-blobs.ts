import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Blobs, ListedBlob } from '../../ports/blobs.port.js';

/** Keeps blobs in memory instead of in files. A store with the directory `:memory:` uses it. */
export const memoryBlobs = (clock: Pick<Clock, 'now'>): Blobs => {
  const blobs = new Map<string, ListedBlob & { readonly bytes: Uint8Array }>();
  return {
    async put(name, bytes) {
      blobs.set(name, { name, bytes: Uint8Array.from(bytes), storedAt: clock.now() });
    },
    async open(name) {
      const blob = blobs.get(name);
      return blob ? { size: blob.bytes.length, read: (from, to) => once(blob.bytes.subarray(from, to)) } : null;
    },
    async remove(name, storedBefore) {
      const found = blobs.get(name);
      if (found && (!storedBefore || found.storedAt < storedBefore)) blobs.delete(name);
    },
    async *list() {
      for (const { name, storedAt } of [...blobs.values()]) yield { name, storedAt };
    },
    removeUnfinished: () => Promise.resolve(),
  };
};

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}
