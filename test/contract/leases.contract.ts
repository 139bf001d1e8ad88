import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Lease, Leases } from '../../libs/eventsourcing/ports/leases.port.js';
import { eventually } from '../eventually.js';

/** Leases, and a function that closes them. */
export type LeasesUnderTest = { readonly leases: Leases; readonly close: () => Promise<void> };

/** Longer than any test. */
const LONG = 600_000;
/** Expires almost at once. A test that needs the expiry waits for it. */
const SHORT = 1;

/** The contract of Leases. It proves contract 24.6. */
export const leasesContract = (name: string, make: () => Promise<LeasesUnderTest>): void => {
  describe(`${name} as a lease store`, () => {
    let leases: Leases;
    let close: () => Promise<void>;
    beforeEach(async () => void ({ leases, close } = await make()));
    afterEach(() => close());

    const acquire = async (holder: string, milliseconds = LONG): Promise<Lease> => {
      const lease = await leases.acquire('relay', holder, milliseconds);
      if (!lease) throw new Error(`${holder} did not get the lease`);
      return lease;
    };
    const acquireAfterExpiry = (holder: string): Promise<Lease> =>
      eventually('the expiry of the lease', () => leases.acquire('relay', holder, LONG));

    it('grants a lease to one owner at a time', async () => {
      expect(await acquire('anna')).toEqual({ name: 'relay', holder: 'anna', fence: expect.any(Number) });
      expect(await leases.acquire('relay', 'bert', LONG)).toBeNull();
    });

    it('grants it to one of many concurrent requests', async () => {
      const results = await Promise.all(Array.from({ length: 20 }, (_, index) => leases.acquire('relay', `holder ${index}`, LONG)));
      expect(results.filter((lease) => lease !== null)).toHaveLength(1);
    });

    it('grants it again to its owner, with the same fencing token', async () => {
      const first = await acquire('anna');
      expect(await acquire('anna')).toEqual(first);
    });

    it('separates leases by name', async () => {
      await acquire('anna');
      expect(await leases.acquire('projections', 'bert', LONG)).toMatchObject({ name: 'projections', holder: 'bert' });
    });

    it('accepts every owner name literally', async () => {
      expect(await acquire('$$NOW')).toMatchObject({ holder: '$$NOW' });
      expect(await leases.acquire('relay', '$fence', LONG)).toBeNull();
    });

    it('grants it to another after its expiry, with a greater fencing token', async () => {
      const { fence } = await acquire('anna', SHORT);
      expect((await acquireAfterExpiry('bert')).fence).toBeGreaterThan(fence);
      expect(await leases.acquire('relay', 'anna', LONG)).toBeNull();
    });

    it('grants it to another after its release, with a greater fencing token', async () => {
      const lease = await acquire('anna');
      await leases.release(lease);
      expect((await acquire('bert')).fence).toBeGreaterThan(lease.fence);
    });

    it('lets its owner extend it', async () => {
      const lease = await acquire('anna', LONG / 10);
      expect(await leases.extend(lease, LONG)).toBe(true);
      expect(await leases.acquire('relay', 'bert', LONG)).toBeNull();
    });

    it('lets its owner shorten it', async () => {
      const lease = await acquire('anna');
      expect(await leases.extend(lease, SHORT)).toBe(true);
      expect(await acquireAfterExpiry('bert')).toMatchObject({ holder: 'bert' });
    });

    it('returns false to an owner that has lost it', async () => {
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
      expect(await acquire('bert')).toMatchObject({ holder: 'bert' });
    });
  });
};
