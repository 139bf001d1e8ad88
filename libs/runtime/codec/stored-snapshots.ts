import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Collection, Documents } from '../../eventsourcing/ports/documents.port.js';
import type { Snapshot, Snapshots } from '../../eventsourcing/streams/snapshots.js';

/** The snapshots of long streams, by the names of the streams. They can be lost: the log has everything. */
const SNAPSHOTS: Collection = { name: 'snapshots', version: 1, fields: {}, indexes: [], cells: [] };

type Stored = Omit<Snapshot, 'revision'> & { readonly seal: string };

/**
 * Stores snapshots beside the read models. Each snapshot has a keyed digest, so that a damaged or forged one is not used.
 * A write that fails is not repeated, because a later one replaces it.
 */
export const storedSnapshots = (documents: Pick<Documents, 'prepare' | 'get' | 'apply'>, key: Uint8Array): Snapshots => {
  let preparation: Promise<unknown> | undefined;
  const prepared = (): Promise<unknown> =>
    (preparation ??= documents.prepare(SNAPSHOTS).catch((error: unknown) => {
      preparation = undefined;
      throw error;
    }));
  // Created now, so that the first command on a long stream need not wait for it.
  prepared().catch(() => undefined);
  const sealOf = (stream: string, { revision, hash, version, fold }: Snapshot): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([stream, revision, hash, version, fold]))
      .digest();
  return {
    async read(stream) {
      try {
        await prepared();
        const document = await documents.get(SNAPSHOTS, stream);
        if (!document) return null;
        const { seal, ...stored } = JSON.parse(document.json) as Stored;
        const snapshot = { ...stored, revision: document.revision };
        const [actual, expected] = [Buffer.from(seal, 'base64url'), sealOf(stream, snapshot)];
        return actual.length === expected.length && timingSafeEqual(actual, expected) ? snapshot : null;
      } catch {
        return null;
      }
    },
    write(stream, snapshot) {
      const { revision, ...rest } = snapshot;
      const json = JSON.stringify({ ...rest, seal: sealOf(stream, snapshot).toString('base64url') } satisfies Stored);
      const put = { kind: 'put', collection: SNAPSHOTS, document: { key: stream, json, fields: {}, revision } } as const;
      prepared()
        .then(() => documents.apply([put]))
        .catch(() => undefined);
    },
  };
};
