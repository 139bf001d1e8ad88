import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import type { EventBatch } from '../../../eventsourcing/ports/event-store.port.js';
import type { Connection } from '../connection/connection.js';
import { sayWhenAtTheEnd } from './end-of-log.js';
import { reasonOf } from '../connection/failures.js';
import { Feed } from './feed.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';
import { pause } from './pause.js';
import { followAll, placeOf, type OwnStreams, type Place } from './read-requests.js';
import type { Reads } from './reads.js';

/** The pause before a dropped subscription is taken up again, in milliseconds: doubled each time, up to the longest. */
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 1_000;

export type SubscriptionParts = {
  readonly connection: Connection;
  readonly reads: Reads;
  readonly own: OwnStreams;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Every own event after a position, as it was and as it comes. A subscription that drops, for whatever reason, is taken
 * up after the last event handed over, "nothing is skipped", until `signal` aborts.
 */
export async function* subscription(parts: SubscriptionParts, after: number, signal: AbortSignal): AsyncGenerator<EventBatch> {
  const progress = { after, told: false };
  let place: Place | null = after === 0 ? null : placeOf(after);
  for (let failures = 0; !signal.aborted; failures++) {
    let feed: Feed | null = null;
    try {
      const from = place;
      feed = await parts.connection.follow(followAll(parts.own, from), (call) => new Feed(call, progress, from));
      void sayWhenAtTheEnd(() => parts.reads.lastPosition(), feed);
      for (let batch = await feed.next(signal); batch !== null; batch = await feed.next(signal)) {
        if (failures > 0) parts.log.info({ after }, 'the subscription goes on');
        failures = 0;
        yield batch;
      }
    } catch (error) {
      const milliseconds = Math.min(FIRST_PAUSE * 2 ** failures, LONGEST_PAUSE);
      if (failures === 0)
        parts.log.warn({ after: progress.after, reason: reasonOf(error) }, 'a subscription dropped; it is taken up again');
      await pause(parts.clock, milliseconds, signal);
    } finally {
      feed?.close();
      place = feed?.place ?? place;
    }
  }
}
