import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import type { EventBatch } from '../../../eventsourcing/ports/event-store.port.js';
import type { Connection } from '../connection/connection.js';
import { detectEnd } from './end-of-log.js';
import { reasonOf } from '../connection/failures.js';
import { Feed } from './feed.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';
import { pause } from './pause.js';
import type { OwnStreams } from './own-streams.js';
import { createSubscriptionRequest, logPositionOf, type LogPosition } from './read-requests.js';
import type { Reads } from './reads.js';

/** The pause before a dropped subscription reconnects, in milliseconds. Each failure doubles it, up to LONGEST_PAUSE. */
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 1_000;

export type SubscriptionDependencies = {
  readonly connection: Connection;
  readonly reads: Reads;
  readonly own: OwnStreams;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Yields every event of the store after a position: first the stored events, then new ones. After a failure, it subscribes
 * again after the last yielded event, so that no event is skipped. Ends when `signal` aborts.
 */
export async function* subscribeFrom(
  dependencies: SubscriptionDependencies,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<EventBatch> {
  const { own } = dependencies;
  const progress = { after, hasReportedCaughtUp: false };
  let position: LogPosition | null = after === 0 ? null : logPositionOf(after);
  for (let failures = 0; !signal.aborted; failures++) {
    let feed: Feed | null = null;
    try {
      const from = position;
      feed = await dependencies.connection.subscribe(
        createSubscriptionRequest(own.filter, from),
        (call) => new Feed(call, progress, from, own.prefix),
      );
      void detectEnd(() => dependencies.reads.lastPosition(), feed);
      for (let batch = await feed.next(signal); batch !== null; batch = await feed.next(signal)) {
        if (failures > 0) dependencies.log.info({ after: progress.after }, 'the subscription continues');
        failures = 0;
        yield batch;
      }
    } catch (error) {
      const milliseconds = Math.min(FIRST_PAUSE * 2 ** failures, LONGEST_PAUSE);
      if (failures === 0)
        dependencies.log.warn({ after: progress.after, reason: reasonOf(error) }, 'the subscription dropped; reconnecting');
      await pause(dependencies.clock, milliseconds, signal);
    } finally {
      feed?.close();
      position = feed?.position ?? position;
    }
  }
}
