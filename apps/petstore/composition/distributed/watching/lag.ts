import { checkpointOf, type Checkpoint } from '../../../../../libs/eventsourcing/ports/documents.port.js';
import type { Projection } from '../../../../../libs/eventsourcing/projection.js';
import { RELAY } from '../../../../../libs/runtime/relay/relay.js';
import type { Clock } from '../../../../../libs/eventsourcing/ports/clock.port.js';
import { withTimeout } from '../../../running/with-timeout.js';

/**
 * Maps the name of each checkpoint to its distance from the end of the log, in positions. Null: the distance is unknown, because the log
 * or the checkpoint cannot be read, or because the log does not reach the checkpoint.
 */
type Lag = Readonly<Record<string, number | null>>;

type LagPorts = {
  readonly database: { checkpoints(names: readonly string[]): Promise<readonly Checkpoint[]> };
  readonly projections: readonly Projection[];
  /** The position of the log's last event. */
  readonly head: () => Promise<number>;
  readonly clock: Clock;
};

/** Returns the lag of every read model and of the relay. A lag that takes more than a second to measure is unknown. Never rejects. */
export const measureLag = async ({ database, projections, head, clock }: LagPorts): Promise<Lag> => {
  const names = [...projections.map(({ collection }) => checkpointOf(collection)), RELAY];
  // The checkpoints are read before the end of the log. In the other order, a checkpoint could have moved beyond that end.
  const measure = async (): Promise<Lag> => {
    const positions = new Map((await database.checkpoints(names)).map(({ name, position }) => [name, position]));
    const last = await head();
    const lags = names.map((name) => [name, last - (positions.get(name) ?? 0)] as const);
    return Object.fromEntries(lags.map(([name, lag]) => [name, lag < 0 ? null : lag]));
  };
  return withTimeout(measure(), clock).catch(() => Object.fromEntries(names.map((name) => [name, null])));
};
