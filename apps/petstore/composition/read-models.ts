import { hostname } from 'node:os';
import type { Mongo } from '../../../libs/adapters/mongodb/index.js';
import type { SqliteStore } from '../../../libs/adapters/sqlite/index.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import { checkpointOf } from '../../../libs/eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../../libs/eventsourcing/ports/event-store.port.js';
import type { ReadModelFailure, ReadModels, ReadModelState } from '../../../libs/eventsourcing/ports/read-models.port.js';
import type { Projection, Projector } from '../../../libs/eventsourcing/projection.js';
import { recordedTimeOf } from '../../../libs/runtime/codec/monotonic-clock.js';
import type { OperatorDecisions } from '../../../libs/runtime/operating/operator-state.js';
import { readFailures } from '../../../libs/runtime/projecting/projection-failures.js';
import { measureLag } from './distributed/watching/lag.js';

/** Milliseconds between two samples of a position, at least. */
const SAMPLE = 900;

/** The speed of a reader: the positions a millisecond, and the events a second. */
type Speed = { readonly positions: number; readonly events: number };

/** Returns the number of events after a position, up to another one. */
type CountEvents = (from: number, to: number) => Promise<number>;

/** Measures from the positions of earlier calls how fast readers are. */
class Speeds {
  /** By reader: the last sample, and the speed since the one before. */
  private readonly samples = new Map<string, { readonly at: number; readonly position: number; readonly speed: Speed | null }>();

  constructor(
    private readonly clock: Clock,
    private readonly countEvents: CountEvents,
  ) {}

  async of(name: string, position: number, head: number): Promise<Pick<ReadModelState, 'secondsLeft' | 'eventsPerSecond'>> {
    const at = this.clock.elapsed();
    const last = this.samples.get(name);
    if (!last || at - last.at >= SAMPLE) {
      const elapsed = at - (last?.at ?? 0);
      const events = last && position >= last.position ? await this.countEvents(last.position, position) : null;
      const speed =
        last && events !== null ? { positions: (position - last.position) / elapsed, events: (1_000 * events) / elapsed } : null;
      this.samples.set(name, { at, position, speed });
    }
    const speed = this.samples.get(name)?.speed ?? null;
    const isUnknown = speed === null || speed.positions <= 0 || position >= head;
    return {
      eventsPerSecond: speed && Math.round(speed.events),
      secondsLeft: isUnknown ? null : Math.ceil((head - position) / speed.positions / 1_000),
    };
  }
}

/** The maximum number of events that are read to count those between two positions. */
const COUNTED = 1_000;

/** Counts events between positions that have gaps. If they are many, estimates their number from the first ones. */
const countEventsIn =
  ({ readAll }: Pick<EventStore, 'readAll'>): CountEvents =>
  async (from, to) => {
    if (to === from) return 0;
    const events = await readAll(from, COUNTED);
    const last = events.at(-1)?.position ?? from;
    if (last >= to || events.length < COUNTED) return events.filter(({ position }) => position <= to).length;
    return (COUNTED * (to - from)) / (last - from);
  };

type FolderParts = {
  readonly sqlite: Pick<SqliteStore, 'events' | 'head' | 'isInline' | 'target'>;
  readonly projectors: readonly Projector[];
  readonly decisions: Pick<OperatorDecisions, 'isPaused'>;
  readonly clock: Clock;
  /** Returns why the last catch-up has failed. Null if it has not. */
  readonly lastError: () => ReadModelFailure | null;
};

/** The read models of a folder. Each append updates those that have caught up. */
export const readModelsOfFolder = ({ sqlite, projectors, decisions, clock, lastError }: FolderParts): ReadModels => {
  // The positions of this log have no gaps.
  const speeds = new Speeds(clock, (from, to) => Promise.resolve(to - from));
  const stateOf = async ({ name, collection }: Projector): Promise<ReadModelState> => {
    const position = await sqlite.target.position(collection);
    const head = sqlite.head();
    const [next] = await sqlite.events.readAll(position, 1);
    const since = next && recordedTimeOf(next);
    const isInline = sqlite.isInline(collection);
    return {
      name,
      version: collection.version,
      position,
      behind: head - position,
      behindSeconds: next ? since && Math.max(0, clock.now().getTime() - since.getTime()) / 1_000 : 0,
      isInService: isInline || decisions.isPaused(name),
      owner: `${hostname()}/${process.pid}`,
      lastError: isInline ? null : lastError(),
      ...(await speeds.of(checkpointOf(collection), position, head)),
    };
  };
  return { states: () => Promise.all(projectors.map(stateOf)), head: async () => sqlite.head() };
};

type ServerParts = Omit<Parameters<typeof measureLag>[0], 'database' | 'projections'> & {
  readonly database: Pick<Mongo, 'checkpoints' | 'versionStates' | 'projectionDocuments'>;
  readonly projections: readonly Projection[];
};

/** The read models of several machines. Each has an owner, which holds its lease. */
export const readModelsOnServers = (parts: ServerParts): ReadModels => {
  const { database, projections, head, clock } = parts;
  const speeds = new Speeds(clock, countEventsIn({ readAll: (...args) => parts.store.readAll(...args) }));
  return {
    head,
    async states() {
      const [versions, lags, last, failures] = await Promise.all([
        database.versionStates(projections.map(({ collection }) => collection)),
        measureLag(parts),
        head(),
        readFailures(database.projectionDocuments),
      ]);
      const stateOf = async ({ name, collection }: Projection): Promise<ReadModelState> => {
        const checkpoint = checkpointOf(collection);
        const { position = 0, isInService = false, owner = null } = versions.get(checkpoint) ?? {};
        return {
          name,
          version: collection.version,
          position,
          behind: lags.behind[checkpoint] ?? null,
          behindSeconds: lags.behindSeconds[checkpoint] ?? null,
          isInService,
          owner,
          lastError: failures.get(checkpoint) ?? null,
          ...(await speeds.of(checkpoint, position, last)),
        };
      };
      return Promise.all(projections.map(stateOf));
    },
  };
};
