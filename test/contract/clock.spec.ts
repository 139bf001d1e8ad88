import { systemClock } from '../../libs/adapters/system/index.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { clockContract } from './clock.contract.js';

clockContract('the machine', () => ({
  clock: systemClock,
  // Its own timers tell that the time is over: they run in order, so what was due before has run.
  pass: async (milliseconds) => {
    const until = systemClock.now().getTime() + milliseconds;
    while (systemClock.now().getTime() < until) await new Promise<void>((resolve) => systemClock.after(milliseconds, resolve));
  },
}));

clockContract('a clock moved by hand', () => {
  const clock = manualClock();
  return { clock, pass: async (milliseconds) => clock.advance(milliseconds) };
});
