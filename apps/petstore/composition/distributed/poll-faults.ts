import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import { projections } from '../../../../libs/projections/projections.js';
import { recheckUnshown, type VerifiedLog } from '../../../../libs/runtime/codec/verified-history.js';
import { outagesTo } from '../../../../libs/runtime/following/outages.js';
import { repeat } from '../../../../libs/runtime/following/repeating.js';
import type { StreamFaults } from '../../../../libs/runtime/projecting/stream-faults.js';
import type { Log } from '../../logging/log.js';

const PROJECTED_CATEGORIES: ReadonlySet<string> = new Set(projections.map(({ category }) => category));

/** What other processes find is known here after so many milliseconds; one small command each time. */
const POLL_INTERVAL = 5_000;

/** Knows of the broken streams that other processes find; the answer ends it. */
export const pollFaults = async (events: VerifiedLog, faults: StreamFaults, clock: Clock, log: Log): Promise<() => Promise<void>> => {
  await faults.open();
  const outages = outagesTo((error) =>
    log.warn({ err: error }, 'the broken streams that others found cannot be read; it will be tried again'),
  );
  const work = async (): Promise<number> => {
    await faults.refresh();
    await recheckUnshown(events, faults, PROJECTED_CATEGORIES);
    outages.over();
    return POLL_INTERVAL;
  };
  return repeat({ clock, first: POLL_INTERVAL, work, afterFailure: POLL_INTERVAL, onError: (error) => outages.failed(error) });
};
