import { describe, expect, it } from '@jest/globals';
import type { Clock } from '../../libs/eventsourcing/ports/clock.port.js';

/** A clock, and how its time comes to pass: on its own, or because a test moves it. */
export type ClockUnderTest = {
  readonly clock: Clock;
  /** Resolves when at least so many milliseconds have passed and what was due by then has run. */
  readonly pass: (milliseconds: number) => Promise<void>;
};

/** What every Clock promises. */
export const clockContract = (name: string, make: () => ClockUnderTest): void => {
  describe(`${name} as a clock`, () => {
    it('goes on as time passes', async () => {
      const { clock, pass } = make();
      const before = clock.now().getTime();
      await pass(5);
      expect(clock.now().getTime()).toBeGreaterThanOrEqual(before + 5);
    });

    it('hands out a date of its own each time, so that no caller can turn the clock', () => {
      const { clock } = make();
      const first = clock.now();
      const year = first.getUTCFullYear();
      first.setUTCFullYear(1970);
      expect(clock.now().getUTCFullYear()).toBe(year);
    });

    it('runs what was asked for once, and never at once', async () => {
      const { clock, pass } = make();
      let runs = 0;
      clock.after(0, () => runs++);
      expect(runs).toBe(0);
      await pass(10);
      await pass(10);
      expect(runs).toBe(1);
    });

    it('runs the sooner before the later, and what falls together in the order of asking', async () => {
      const { clock, pass } = make();
      const ran: string[] = [];
      clock.after(20, () => ran.push('late'));
      clock.after(2, () => ran.push('soon'));
      clock.after(2, () => ran.push('as soon'));
      await pass(40);
      expect(ran).toEqual(['soon', 'as soon', 'late']);
    });

    it('runs nothing that was taken back, and taking back twice or too late does no harm', async () => {
      const { clock, pass } = make();
      const ran: string[] = [];
      const takeBack = clock.after(2, () => ran.push('taken back'));
      const takeBackLate = clock.after(2, () => ran.push('kept'));
      takeBack();
      takeBack();
      await pass(10);
      takeBackLate();
      expect(ran).toEqual(['kept']);
    });

    it('keeps waits longer than a month, which no timer of the machine can hold', async () => {
      const { clock, pass } = make();
      let ran = false;
      const takeBack = clock.after(40 * 24 * 3600 * 1000, () => (ran = true));
      await pass(10);
      takeBack();
      expect(ran).toBe(false);
    });

    it('takes a time that has gone by as now', async () => {
      const { clock, pass } = make();
      let ran = false;
      clock.after(-1000, () => (ran = true));
      await pass(5);
      expect(ran).toBe(true);
    });
  });
};
