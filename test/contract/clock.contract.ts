import { describe, expect, it } from '@jest/globals';
import type { Clock } from '../../libs/eventsourcing/ports/clock.port.js';

/** A clock, and a function that lets time pass: by waiting, or by moving a manual clock. */
export type ClockUnderTest = {
  readonly clock: Clock;
  /** Resolves after at least `milliseconds` have passed, and all work that was due in this time has run. */
  readonly pass: (milliseconds: number) => Promise<void>;
};

/** The contract of Clock. */
export const clockContract = (name: string, make: () => ClockUnderTest): void => {
  describe(`${name} as a clock`, () => {
    it('advances as time passes', async () => {
      const { clock, pass } = make();
      const before = clock.now().getTime();
      await pass(5);
      expect(clock.now().getTime()).toBeGreaterThanOrEqual(before + 5);
    });

    it('returns a new Date each time, so that callers cannot change the clock', () => {
      const { clock } = make();
      const first = clock.now();
      const year = first.getUTCFullYear();
      first.setUTCFullYear(1970);
      expect(clock.now().getUTCFullYear()).toBe(year);
    });

    it('runs scheduled work once, and never synchronously', async () => {
      const { clock, pass } = make();
      let runs = 0;
      clock.after(0, () => runs++);
      expect(runs).toBe(0);
      await pass(10);
      await pass(10);
      expect(runs).toBe(1);
    });

    it('runs work in order of its time, then in order of scheduling', async () => {
      const { clock, pass } = make();
      const ran: string[] = [];
      clock.after(20, () => ran.push('late'));
      clock.after(2, () => ran.push('soon'));
      clock.after(2, () => ran.push('as soon'));
      await pass(40);
      expect(ran).toEqual(['soon', 'as soon', 'late']);
    });

    it('does not run cancelled work, and ignores a second or late cancellation', async () => {
      const { clock, pass } = make();
      const ran: string[] = [];
      const cancel = clock.after(2, () => ran.push('cancelled'));
      const cancelLate = clock.after(2, () => ran.push('kept'));
      cancel();
      cancel();
      await pass(10);
      cancelLate();
      expect(ran).toEqual(['kept']);
    });

    it('supports waits over a month, longer than a Node timer can be', async () => {
      const { clock, pass } = make();
      let ran = false;
      const cancel = clock.after(40 * 24 * 3600 * 1000, () => (ran = true));
      await pass(10);
      cancel();
      expect(ran).toBe(false);
    });

    it('treats a negative delay as zero', async () => {
      const { clock, pass } = make();
      let ran = false;
      clock.after(-1000, () => (ran = true));
      await pass(5);
      expect(ran).toBe(true);
    });
  });
};
