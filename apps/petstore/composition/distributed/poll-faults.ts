import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import { projections } from '../../../../libs/projections/projections.js';
import { recheckUnprojected, type VerifiedLog } from '../../../../libs/runtime/codec/verified-history.js';
import { trackOutages } from '../../../../libs/runtime/following/outages.js';
import { repeat } from '../../../../libs/runtime/following/repeat.js';
import type { StreamFaults } from '../../../../libs/runtime/projecting/stream-faults.js';
import type { Log } from '../../logging/log.js';

const PROJECTED_CATEGORIES: ReadonlySet<string> = new Set(projections.map(({ category }) => category));

/**
 * Milliseconds between two reads of the faults that other processes found. Each read is one small command.
 */
const POLL_INTERVAL = 5_000;

/** Polls the faults that other processes found. Returns a function that stops the polling. */
export const pollFaults = async (events: VerifiedLog, faults: StreamFaults, clock: Clock, log: Log): Promise<() => Promise<void>> => {
  await faults.open();
  const outages = trackOutages((error) =>
    log.warn({ err: error }, 'could not read the faults that other processes found; the read will be retried'),
  );
  const work = async (): Promise<number> => {
    await faults.refresh();
    await recheckUnprojected(events, faults, PROJECTED_CATEGORIES);
    outages.reportRecovery();
    return POLL_INTERVAL;
  };
  return repeat({ clock, firstDelay: POLL_INTERVAL, work, failureDelay: POLL_INTERVAL, onError: (error) => outages.reportFailure(error) });
};
