import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RateLimitCounters } from '../../libs/ports/rate-limit-counters.port.js';

/** The counters of several processes, and a function that closes them. */
export type CountersUnderTest = { readonly processes: readonly RateLimitCounters[]; readonly close: () => Promise<void> };

/** The ends of two windows. Both end after all tests have run. */
const window = new Date(Date.now() + 600_000);
const nextWindow = new Date(window.getTime() + 60_000);

/** The contract of RateLimitCounters. It proves contract 11.4. `make` opens the counters of that many processes. */
export const rateLimitCountersContract = (name: string, make: (processes: number) => Promise<CountersUnderTest>): void => {
  describe(`${name} as rate-limit counters`, () => {
    let counters: CountersUnderTest;
    beforeEach(async () => void (counters = await make(3)));
    afterEach(() => counters.close());

    const exchange = async (process: number, counts: Readonly<Record<string, number>>, end = window): Promise<object> => {
      const found = await counters.processes[process]?.exchange(end, new Map(Object.entries(counts)));
      return Object.fromEntries(found ?? []);
    };

    it('returns the counts of the other processes', async () => {
      expect(await exchange(0, { anna: 2, bert: 1 })).toEqual({ anna: 0, bert: 0 });
      expect(await exchange(1, { anna: 3 })).toEqual({ anna: 2 });
      expect(await exchange(2, { anna: 5, bert: 7 })).toEqual({ anna: 5, bert: 1 });
      expect(await exchange(0, { anna: 2 })).toEqual({ anna: 8 });
    });

    it('replaces the count of a process, so that a repeated exchange counts nothing twice', async () => {
      for (let times = 0; times < 3; times++) await exchange(0, { anna: 2 });
      expect(await exchange(1, { anna: 1 })).toEqual({ anna: 2 });
      await exchange(0, { anna: 4 });
      await exchange(0, { anna: 3 });
      expect(await exchange(1, { anna: 1 })).toEqual({ anna: 4 });
    });

    it('counts each bucket and each window separately', async () => {
      await exchange(0, { anna: 2 });
      expect(await exchange(1, { bert: 1 })).toEqual({ bert: 0 });
      expect(await exchange(1, { anna: 1 }, nextWindow)).toEqual({ anna: 0 });
      expect(await exchange(1, { anna: 1 })).toEqual({ anna: 2 });
    });

    it('accepts any bucket’s name literally', async () => {
      const names = ['address:127.0.0.1', 'address:2001:db8:0:1', 'subject::$where', 'subject:a.b:ünï', '__proto__'];
      const counts = new Map(names.map((name) => [name, 2]));
      await counters.processes[0]?.exchange(window, counts);
      expect(await counters.processes[1]?.exchange(window, counts)).toEqual(counts);
    });

    it('loses no count of concurrent exchanges', async () => {
      const buckets = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`caller ${index}`, 1]));
      await Promise.all([0, 1, 2].map((process) => exchange(process, buckets)));
      const seen = await exchange(0, buckets);
      expect(new Set(Object.values(seen))).toEqual(new Set([2]));
    });
  });
};
