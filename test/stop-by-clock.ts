import type { ManualClock } from '../libs/eventsourcing/testing/manual-clock.js';
import { eventually } from './eventually.js';

/**
 * Stops a service with a manual clock. The service stops after its running charges have ended. A slow charge
 * ends only when the clock advances, so this function advances the clock until the service has stopped.
 */
export const stopByClock = async (clock: ManualClock, store: { stop(): Promise<void> }): Promise<void> => {
  let hasStopped = false;
  const stopping = store.stop().finally(() => (hasStopped = true));
  await eventually('the service to stop', () => {
    clock.advance(A_WEEK);
    return hasStopped;
  });
  await stopping;
};

const A_WEEK = 7 * 86_400_000;
