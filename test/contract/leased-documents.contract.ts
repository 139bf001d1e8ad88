import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection, Documents, DocumentWrite } from '../../libs/eventsourcing/ports/documents.port.js';
import { LeaseLost, type Lease, type Leases } from '../../libs/eventsourcing/ports/leases.port.js';

/** Documents, the leases under which they are written, and a function that closes both. */
export type LeasedDocumentsUnderTest = { readonly documents: Documents; readonly leases: Leases; readonly close: () => Promise<void> };

/** Milliseconds. A lease of this length does not expire during a test. */
const LONG = 600_000;

const things: Collection = { name: 'things', version: 1, fields: { kind: 'text' }, indexes: [], cells: ['kind'] };
const writes = (kind: string): readonly DocumentWrite[] => [
  { kind: 'put', collection: things, document: { key: 'a', json: '{}', fields: { kind }, revision: 0 } },
  { kind: 'increment', collection: things, cell: [kind], by: 1 },
];

/** The contract of Documents on servers that several processes share: only the owner of a lease can write under it. */
export const leasedDocumentsContract = (name: string, make: () => Promise<LeasedDocumentsUnderTest>): void => {
  /** Proves contract 24.6. */
  describe(`documents in ${name} that are written under a lease`, () => {
    let documents: Documents;
    let leases: Leases;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ documents, leases, close } = await make());
      await documents.prepare(things);
    });
    afterEach(() => close());

    const acquire = async (owner: string): Promise<Lease> => {
      const lease = await leases.acquire('projections', owner, LONG);
      if (!lease) throw new Error(`${owner} did not get the lease`);
      return lease;
    };
    const write = (lease: Lease, position: number, kind = 'cup'): Promise<boolean> =>
      documents.apply(writes(kind), { name: 'things_v1', position, lease });

    it('are applied once before the lease expires', async () => {
      const lease = await acquire('anna');
      expect(await write(lease, 1)).toBe(true);
      expect(await write(lease, 1)).toBe(false);
      expect(await documents.sum(things, {})).toEqual({ '': 1 });
    });

    it('are all rejected after another process has acquired the lease', async () => {
      const stale = await acquire('anna');
      await write(stale, 1);
      await leases.release(stale);
      const lease = await acquire('bert');
      await expect(write(stale, 2, 'mug')).rejects.toThrow(LeaseLost);
      await expect(write(stale, 1)).rejects.toThrow(LeaseLost);
      expect(await documents.checkpoint('things_v1')).toBe(1);
      expect(await documents.sum(things, {}, 'kind')).toEqual({ cup: 1 });
      expect(await write(lease, 2, 'mug')).toBe(true);
    });

    it('of a former owner are rejected even before the new owner has written anything', async () => {
      const stale = await acquire('anna');
      await leases.release(stale);
      await acquire('bert');
      await expect(write(stale, 1)).rejects.toThrow(LeaseLost);
      expect(await documents.get(things, 'a')).toBeNull();
    });

    it('are rejected after the lease is released', async () => {
      const lease = await acquire('anna');
      await leases.release(lease);
      await expect(write(lease, 1)).rejects.toThrow(LeaseLost);
    });

    it('are applied while the lease is extended repeatedly', async () => {
      const lease = await acquire('anna');
      for (let position = 1; position <= 20; position++) {
        const [applied, extended] = await Promise.all([write(lease, position), leases.extend(lease, LONG)]);
        expect([applied, extended]).toEqual([true, true]);
      }
      expect(await documents.sum(things, {})).toEqual({ '': 20 });
    });

    it('are either visible or rejected when another process gets the lease, however the two race', async () => {
      for (let round = 1; round <= 10; round++) {
        const stale = await acquire(`holder ${round}`);
        // So many writes take long enough that the lease changes its owner while they run.
        const many = Array.from({ length: 500 }, (_, index) => writes(`${round} ${index}`)).flat();
        const writing = documents.apply(many, { name: 'things_v1', position: round, lease: stale }).catch((error: unknown) => error);
        await leases.release(stale);
        const lease = await acquire(`successor ${round}`);
        const found = await documents.checkpoint('things_v1');
        const outcome = await writing;
        expect(outcome === true || outcome instanceof LeaseLost).toBe(true);
        expect(await documents.checkpoint('things_v1')).toBe(found);
        expect(found === round).toBe(outcome === true);
        await leases.release(lease);
      }
    });
  });
};
