import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Lease, Leases } from '../../libs/eventsourcing/ports/leases.port.js';
import { eventually } from '../eventually.js';

/** Leases, and a function that closes them. */
export type LeasesUnderTest = { readonly leases: Leases; readonly close: () => Promise<void> };

/** Milliseconds. A lease of this length does not expire during a test. */
const LONG = 600_000;
/** Milliseconds. A lease of this length expires almost at once. A test that needs an expired lease waits until it has expired. */
const SHORT = 1;

/** The contract of Leases. It proves contract 24.6. */
export const leasesContract = (name: string, make: () => Promise<LeasesUnderTest>): void => {
  describe(`${name} as a lease store`, () => {
    let leases: Leases;
    let close: () => Promise<void>;
    beforeEach(async () => void ({ leases, close } = await make()));
    afterEach(() => close());

    const acquire = async (owner: string, milliseconds = LONG): Promise<Lease> => {
      const lease = await leases.acquire('relay', owner, milliseconds);
      if (!lease) throw new Error(`${owner} did not get the lease`);
      return lease;
    };
    const acquireAfterExpiry = (owner: string): Promise<Lease> =>
      eventually('the expiry of the lease', () => leases.acquire('relay', owner, LONG));

    it('grants a lease to one owner at a time', async () => {
      expect(await acquire('anna')).toEqual({ name: 'relay', owner: 'anna', fence: expect.any(Number) });
      expect(await leases.acquire('relay', 'bert', LONG)).toBeNull();
    });

    it('grants a lease to one of many concurrent requests', async () => {
      const results = await Promise.all(Array.from({ length: 20 }, (_, index) => leases.acquire('relay', `holder ${index}`, LONG)));
      expect(results.filter((lease) => lease !== null)).toHaveLength(1);
    });

    it('grants a lease again to its owner, with the same fencing token', async () => {
      const first = await acquire('anna');
      expect(await acquire('anna')).toEqual(first);
    });

    it('separates leases by name', async () => {
      await acquire('anna');
      expect(await leases.acquire('projections', 'bert', LONG)).toMatchObject({ name: 'projections', owner: 'bert' });
    });

    it('accepts every owner name literally', async () => {
      expect(await acquire('$$NOW')).toMatchObject({ owner: '$$NOW' });
      expect(await leases.acquire('relay', '$fence', LONG)).toBeNull();
    });

    it('grants a lease to another owner after its expiry, with a greater fencing token', async () => {
      const { fence } = await acquire('anna', SHORT);
      expect((await acquireAfterExpiry('bert')).fence).toBeGreaterThan(fence);
      expect(await leases.acquire('relay', 'anna', LONG)).toBeNull();
    });

    it('grants a lease to another owner after its release, with a greater fencing token', async () => {
      const lease = await acquire('anna');
      await leases.release(lease);
      expect((await acquire('bert')).fence).toBeGreaterThan(lease.fence);
    });

    it('lets an owner extend its lease', async () => {
      const lease = await acquire('anna', LONG / 10);
      expect(await leases.extend(lease, LONG)).toBe(true);
      expect(await leases.acquire('relay', 'bert', LONG)).toBeNull();
    });

    it('lets an owner shorten its lease', async () => {
      const lease = await acquire('anna');
      expect(await leases.extend(lease, SHORT)).toBe(true);
      expect(await acquireAfterExpiry('bert')).toMatchObject({ owner: 'bert' });
    });

    it('returns false to an owner that extends a lease of another owner', async () => {
      const lease = await acquire('anna', SHORT);
      const next = await acquireAfterExpiry('bert');
      expect(await leases.extend(lease, LONG)).toBe(false);
      await leases.release(lease);
      expect(await leases.extend(next, LONG)).toBe(true);
      expect(await leases.acquire('relay', 'anna', LONG)).toBeNull();
    });

    it('does not extend a lost lease, even when the same owner has acquired it again', async () => {
      const lost = await acquire('anna');
      await leases.release(lost);
      const { fence } = await acquire('anna');
      expect(fence).toBeGreaterThan(lost.fence);
      expect(await leases.extend(lost, LONG)).toBe(false);
    });

    it('does not extend a released lease', async () => {
      const lease = await acquire('anna');
      await leases.release(lease);
      expect(await leases.extend(lease, LONG)).toBe(false);
      await leases.release(lease);
      expect(await acquire('bert')).toMatchObject({ owner: 'bert' });
    });
  });
};
