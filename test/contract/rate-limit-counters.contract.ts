import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RateLimitCounters } from '../../libs/eventsourcing/rate-limit-counters.port.js';

/** Counters, and how to be rid of them. */
export type CountersUnderTest = { readonly counters: RateLimitCounters; readonly close: () => Promise<void> };

/** Windows that no test outlives. */
const window = new Date(Date.now() + 600_000);
const next = new Date(window.getTime() + 60_000);

/** What every RateLimitCounters promises. */
export const rateLimitCountersContract = (name: string, make: () => Promise<CountersUnderTest>): void => {
  describe(`${name} as rate-limit counters`, () => {
    let counters: RateLimitCounters;
    let close: () => Promise<void>;
    beforeEach(async () => void ({ counters, close } = await make()));
    afterEach(() => close());

    it('counts one more each time', async () => {
      expect(await counters.add('anna', window)).toBe(1);
      expect(await counters.add('anna', window)).toBe(2);
    });

    it('counts each bucket and each window apart', async () => {
      await counters.add('anna', window);
      expect(await counters.add('bert', window)).toBe(1);
      expect(await counters.add('anna', next)).toBe(1);
      expect(await counters.add('anna', window)).toBe(2);
    });

    it('counts everybody who comes at once, each once', async () => {
      const counts = await Promise.all(Array.from({ length: 30 }, () => counters.add('anna', window)));
      expect(counts.sort((one, other) => one - other)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    });
  });
};
