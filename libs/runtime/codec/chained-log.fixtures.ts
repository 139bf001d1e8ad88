import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { createCodec, type EventDeclaration } from './codec.js';
import type { VerifiedLog } from './verified-history.js';

const DECLARATIONS: Readonly<Record<string, EventDeclaration>> = {
  Made: { schemaVersion: 1, upcasters: {} },
  Renamed: { schemaVersion: 1, upcasters: {} },
};

export type ChainedLog = {
  readonly events: readonly StoredEvent[];
  /** Returns a log with other events, such as altered ones. */
  readonly logWith: (events: readonly StoredEvent[]) => VerifiedLog;
  /** Returns how often the logs of `logWith` were read. */
  readonly reads: () => number;
};

/**
 * Creates a log with intact hash chains. `lengths` has the number of events of each stream. The events of the streams
 * alternate in the log.
 */
export const chainedLog = async (lengths: Readonly<Record<string, number>>): Promise<ChainedLog> => {
  const never = (): never => {
    throw new Error('no event here has personal fields');
  };
  let createdIds = 0;
  const ids = { next: () => `00000000-0000-7000-8000-${String(++createdIds).padStart(12, '0')}`, derived: never };
  const keys = { serviceKey: never, personalKey: never, destroyPersonalKey: never };
  const codec = createCodec(DECLARATIONS, { keys, ids, clock: manualClock() });
  const context = { tenant: 'shared', actor: 'test', correlationId: 'c', causationId: 'c' };
  const streams = await Promise.all(
    Object.entries(lengths).map(async ([stream, length]) => {
      const messages = Array.from({ length }, (_, n) => ({ type: 'Made', data: { n } }));
      const { encoded } = await codec.encode(stream, { revision: 'none', hash: '' }, messages, context);
      return encoded.map((event, revision) => ({ ...event, stream, revision }));
    }),
  );
  const longest = Math.max(...Object.values(lengths));
  const inTurn = Array.from({ length: longest }, (_, revision) => streams.flatMap((events) => events.slice(revision, revision + 1))).flat();
  const events = inTurn.map((event, index) => ({ ...event, position: index + 1 }));
  let reads = 0;
  const readStream =
    (all: readonly StoredEvent[]): EventStore['readStream'] =>
    async (stream, from = 0, limit = Infinity) => {
      reads++;
      return all.filter((event) => event.stream === stream && event.revision >= from).slice(0, limit);
    };
  return { events, logWith: (all) => ({ store: { readStream: readStream(all) }, codec }), reads: () => reads };
};
