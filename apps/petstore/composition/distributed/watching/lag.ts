import type { ReadCodec } from '../../../../../libs/eventsourcing/event-codec.js';
import type { Clock } from '../../../../../libs/eventsourcing/ports/clock.port.js';
import { checkpointOf, type Checkpoint } from '../../../../../libs/eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../../../../libs/eventsourcing/ports/event-store.port.js';
import type { Projection } from '../../../../../libs/eventsourcing/projection.js';
import type { Lag } from '../../../../../libs/ports/metrics.port.js';
import { RELAY } from '../../../../../libs/runtime/relay/relay.js';
import { withTimeout } from '../../../running/with-timeout.js';
import { measureLagAfter } from '../../metrics/log-lag.js';

/** The lags of the readers of the log, by the names of their checkpoints (contract 25.1). */
export type Lags = {
  /**
   * The number of events that the reader has not handled, counted up to 1,000. Null: the number is unknown, because the log or
   * the checkpoint cannot be read, or because the log does not reach the checkpoint.
   */
  readonly behind: Readonly<Record<string, number | null>>;
  /** The age of the first of these events in seconds, or null. */
  readonly behindSeconds: Readonly<Record<string, number | null>>;
};

type LagPorts = {
  readonly database: { checkpoints(names: readonly string[]): Promise<readonly Checkpoint[]> };
  readonly projections: readonly Projection[];
  /** The position of the log's last event. */
  readonly head: () => Promise<number>;
  readonly store: Pick<EventStore, 'readAll'>;
  readonly codec: Pick<ReadCodec, 'decode'>;
  readonly clock: Clock;
};

/**
 * Returns the lag of every read model and of the relay. A lag that takes more than a second to measure is unknown. Never rejects.
 * The difference of two positions would be no number of events, because the positions of a log have gaps.
 */
export const measureLag = async ({ database, projections, head, store, codec, clock }: LagPorts): Promise<Lags> => {
  const names = [...projections.map(({ collection }) => checkpointOf(collection)), RELAY];
  // Readers that are at the same position have the same lag, so it is measured once.
  const measured = new Map<number, Promise<Lag | null>>();
  const lagAfter = (position: number, last: number): Promise<Lag | null> => {
    if (position > last) return Promise.resolve(null);
    if (position === last) return Promise.resolve({ events: 0, seconds: 0 });
    const measurement = measured.get(position) ?? measureLagAfter({ store, codec }, position, clock.now());
    measured.set(position, measurement);
    return measurement;
  };
  // The checkpoints are read before the end of the log. In the other order, a checkpoint could have moved beyond that end.
  const measure = async (): Promise<readonly (Lag | null)[]> => {
    const positions = new Map((await database.checkpoints(names)).map(({ name, position }) => [name, position]));
    const last = await head();
    return Promise.all(names.map((name) => lagAfter(positions.get(name) ?? 0, last)));
  };
  const lags = await withTimeout(measure(), clock).catch(() => names.map(() => null));
  return {
    behind: Object.fromEntries(names.map((name, nth) => [name, lags[nth]?.events ?? null])),
    behindSeconds: Object.fromEntries(names.map((name, nth) => [name, lags[nth]?.seconds ?? null])),
  };
};
