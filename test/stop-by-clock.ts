import type { ManualClock } from '../libs/eventsourcing/testing/manual-clock.js';
import { eventually } from './eventually.js';

/**
 * Stops a service with a manual clock. The service waits for running charges, and a slow charge waits for the
 * clock, so this advances it.
 */
export const stopByClock = async (clock: ManualClock, store: { stop(): Promise<void> }): Promise<void> => {
  let hasStopped = false;
  const stopping = store.stop().finally(() => (hasStopped = true));
  await eventually('the store to stop', () => {
    clock.advance(A_WEEK);
    return hasStopped;
  });
  await stopping;
};

const A_WEEK = 7 * 86_400_000;
