import { describe, expect, it } from '@jest/globals';
import type { Ids } from '../../libs/eventsourcing/ports/ids.port.js';
import { manualClock, type ManualClock } from '../../libs/eventsourcing/testing/manual-clock.js';

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const VERSION_8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const generate = (ids: Ids, count: number): string[] => Array.from({ length: count }, () => ids.next());
const millisecondOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
const sorted = (values: readonly string[]): string[] => [...values].sort();

/** The contract of Ids. `make` creates an Ids with the given clock. */
export const idsContract = (name: string, make: (clock: ManualClock) => Ids): void => {
  describe(`${name}: the next id`, () => {
    it('is a UUID of version 7 that starts with the time', () => {
      const clock = manualClock('2026-01-02T03:04:05.678Z');
      const id = make(clock).next();
      expect(id).toMatch(VERSION_7);
      expect(millisecondOf(id)).toBe(Date.parse('2026-01-02T03:04:05.678Z'));
    });

    it('is greater than every earlier one, also within one millisecond', () => {
      const clock = manualClock();
      const ids = make(clock);
      const made = [...generate(ids, 3000), ...(clock.advance(1), generate(ids, 3000))];
      expect(made).toEqual(sorted(made));
      expect(new Set(made).size).toBe(made.length);
    });

    it('uses the next millisecond when one is full, and stays in order when the clock catches up', () => {
      const clock = manualClock();
      const ids = make(clock);
      const made = generate(ids, 4096 * 2 + 1);
      expect(millisecondOf(made[4095])).toBe(clock.now().getTime());
      expect(millisecondOf(made[4096])).toBe(clock.now().getTime() + 1);
      expect(millisecondOf(made[8192])).toBe(clock.now().getTime() + 2);
      clock.advance(1);
      made.push(...generate(ids, 10));
      expect(made).toEqual(sorted(made));
    });

    it('keeps growing when the clock is set back', () => {
      const clock = manualClock();
      const ids = make(clock);
      const before = generate(ids, 10);
      clock.set('2020-01-01T00:00:00.000Z');
      const made = [...before, ...generate(ids, 5000)];
      expect(made).toEqual(sorted(made));
    });

    it('ends in 62 random bits, new for each id', () => {
      const made = generate(make(manualClock()), 4096);
      const tails = made.map((id) => BigInt(`0x${id.slice(19).replace('-', '')}`) & (2n ** 62n - 1n));
      expect(new Set(tails).size).toBe(made.length);
      // Each bit is like 4,096 tosses of a fair coin. Fewer than 1,600 heads, or tails, occur once in 10^44 runs.
      for (let bit = 0n; bit < 62n; bit++) {
        const ones = tails.filter((tail) => (tail >> bit) & 1n).length;
        expect(ones).toBeGreaterThan(1600);
        expect(ones).toBeLessThan(2496);
      }
    });
  });

  describe(`${name}: a derived id`, () => {
    const ids = make(manualClock());
    const key = new Uint8Array(32).fill(7);

    it('is a UUID of version 8', () => {
      for (let part = 0; part < 50; part++) expect(ids.derived(key, String(part))).toMatch(VERSION_8);
    });

    it('is the same for the same key and parts, from any generator, at any time', () => {
      const other = make(manualClock('2031-01-01T00:00:00.000Z'));
      expect(other.derived(key, 'tenant', 'caller', 'createOrder', 'k')).toBe(ids.derived(key, 'tenant', 'caller', 'createOrder', 'k'));
    });

    it('differs under another key', () => {
      expect(ids.derived(new Uint8Array(32).fill(8), 'a')).not.toBe(ids.derived(key, 'a'));
    });

    it('differs for every list of parts, however they are split', () => {
      const lists = [['ab', 'c'], ['a', 'bc'], ['abc'], ['abc', ''], ['', 'abc'], ['a', 'b', 'c'], ['c', 'ab'], ['äb', 'c'], []];
      expect(new Set(lists.map((parts) => ids.derived(key, ...parts))).size).toBe(lists.length);
    });
  });
};
