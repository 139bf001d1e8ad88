import { systemClock } from '../../libs/adapters/system/index.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { clockContract } from './clock.contract.js';

clockContract('the system clock', () => ({
  clock: systemClock,
  // Waits for a timer of this clock. Its timers run in the order of their times, so all work that was due earlier has run.
  pass: async (milliseconds) => {
    const until = systemClock.now().getTime() + milliseconds;
    while (systemClock.now().getTime() < until) await new Promise<void>((resolve) => systemClock.after(milliseconds, resolve));
  },
}));

clockContract('a manual clock', () => {
  const clock = manualClock();
  return { clock, pass: async (milliseconds) => clock.advance(milliseconds) };
});
