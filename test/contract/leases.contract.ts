import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Lease, Leases } from '../../libs/eventsourcing/ports/leases.port.js';
import { eventually } from '../eventually.js';

/** Leases, and how to be rid of them. */
export type LeasesUnderTest = { readonly leases: Leases; readonly close: () => Promise<void> };

/** Longer than any test takes. */
const LONG = 600_000;
/** Over before anybody asks for the second time; whoever needs it to be over waits until it is. */
const SHORT = 1;

/** What every Leases promises. */
export const leasesContract = (name: string, make: () => Promise<LeasesUnderTest>): void => {
  describe(`${name} as a keeper of leases`, () => {
    let leases: Leases;
    let close: () => Promise<void>;
    beforeEach(async () => void ({ leases, close } = await make()));
    afterEach(() => close());

    const taken = async (holder: string, milliseconds = LONG): Promise<Lease> => {
      const lease = await leases.acquire('relay', holder, milliseconds);
      if (!lease) throw new Error(`${holder} was not given the lease`);
      return lease;
    };
    const takenOver = (holder: string): Promise<Lease> => eventually('the end of a lease', () => leases.acquire('relay', holder, LONG));

    it('gives a lease to one holder at a time', async () => {
      expect(await taken('anna')).toEqual({ name: 'relay', holder: 'anna', fence: expect.any(Number) });
      expect(await leases.acquire('relay', 'bert', LONG)).toBeNull();
    });

    it('gives it to one of many who ask at once', async () => {
      const asked = await Promise.all(Array.from({ length: 20 }, (_, index) => leases.acquire('relay', `holder ${index}`, LONG)));
      expect(asked.filter((lease) => lease !== null)).toHaveLength(1);
    });

    it('gives it again to whoever holds it, with the same fence', async () => {
      const first = await taken('anna');
      expect(await taken('anna')).toEqual(first);
    });

    it('keeps leases of different names apart', async () => {
      await taken('anna');
      expect(await leases.acquire('projections', 'bert', LONG)).toMatchObject({ name: 'projections', holder: 'bert' });
    });

    it('takes a holder’s name as it is', async () => {
      expect(await taken('$$NOW')).toMatchObject({ holder: '$$NOW' });
      expect(await leases.acquire('relay', '$fence', LONG)).toBeNull();
    });

    it('gives it to another when its time is up, with a greater fence', async () => {
      const { fence } = await taken('anna', SHORT);
      expect((await takenOver('bert')).fence).toBeGreaterThan(fence);
      expect(await leases.acquire('relay', 'anna', LONG)).toBeNull();
    });

    it('gives it to another once it was let go of, with a greater fence', async () => {
      const lease = await taken('anna');
      await leases.release(lease);
      expect((await taken('bert')).fence).toBeGreaterThan(lease.fence);
    });

    it('lets a holder hold on to it', async () => {
      const lease = await taken('anna', LONG / 10);
      expect(await leases.extend(lease, LONG)).toBe(true);
      expect(await leases.acquire('relay', 'bert', LONG)).toBeNull();
    });

    it('shortens it when that is asked for', async () => {
      const lease = await taken('anna');
      expect(await leases.extend(lease, SHORT)).toBe(true);
      expect(await takenOver('bert')).toMatchObject({ holder: 'bert' });
    });

    it('tells a holder that it has lost it', async () => {
      const lease = await taken('anna', SHORT);
      const next = await takenOver('bert');
      expect(await leases.extend(lease, LONG)).toBe(false);
      await leases.release(lease);
      expect(await leases.extend(next, LONG)).toBe(true);
      expect(await leases.acquire('relay', 'anna', LONG)).toBeNull();
    });

    it('leaves lost what was lost, also when the same holder takes it anew', async () => {
      const lost = await taken('anna');
      await leases.release(lost);
      const { fence } = await taken('anna');
      expect(fence).toBeGreaterThan(lost.fence);
      expect(await leases.extend(lost, LONG)).toBe(false);
    });

    it('does not extend what was let go of', async () => {
      const lease = await taken('anna');
      await leases.release(lease);
      expect(await leases.extend(lease, LONG)).toBe(false);
      await leases.release(lease);
      expect(await taken('bert')).toMatchObject({ holder: 'bert' });
    });
  });
};
