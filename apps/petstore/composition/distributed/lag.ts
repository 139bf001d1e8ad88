import { checkpointOf, type Documents } from '../../../../libs/eventsourcing/ports/documents.port.js';
import type { Projection } from '../../../../libs/eventsourcing/projection.js';
import { RELAY } from '../../../../libs/runtime/relay/relay.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import { withTimeout } from '../../running/with-timeout.js';

/** Maps the name of each checkpoint to its distance from the end of the log, in positions. Null: the distance is unknown. */
type Lag = Readonly<Record<string, number | null>>;

type LagPorts = {
  readonly documents: Pick<Documents, 'checkpoint'>;
  readonly projections: readonly Projection[];
  /** The position of the log's last event. */
  readonly head: () => Promise<number>;
  readonly clock: Clock;
};

/**
 * Returns the lag of every read model and of the relay. A lag is null if the log or the checkpoint cannot be read within a
 * second. Never rejects.
 */
export const measureLag = async ({ documents, projections, head, clock }: LagPorts): Promise<Lag> => {
  const names = [...projections.map(({ collection }) => checkpointOf(collection)), RELAY];
  const readOrNull = (position: Promise<number>): Promise<number | null> => withTimeout(position, clock).catch(() => null);
  const [last = null, ...positions] = await Promise.all([head(), ...names.map((name) => documents.checkpoint(name))].map(readOrNull));
  return Object.fromEntries(
    names.map((name, index) => {
      const position = positions[index] ?? null;
      return [name, last === null || position === null ? null : Math.max(0, last - position)];
    }),
  );
};
