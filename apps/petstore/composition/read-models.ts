import { hostname } from 'node:os';
import type { Mongo } from '../../../libs/adapters/mongodb/index.js';
import type { SqliteStore } from '../../../libs/adapters/sqlite/index.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import { checkpointOf } from '../../../libs/eventsourcing/ports/documents.port.js';
import type { ReadModels, ReadModelState } from '../../../libs/eventsourcing/ports/read-models.port.js';
import type { Projection, Projector } from '../../../libs/eventsourcing/projection.js';
import { recordedTimeOf } from '../../../libs/runtime/codec/monotonic-clock.js';
import type { OperatorDecisions } from '../../../libs/runtime/operating/operator-state.js';
import { measureLag } from './distributed/watching/lag.js';

/** Milliseconds between two samples of a position, at least. */
const SAMPLE = 900;

/** Estimates from the positions of earlier calls how long a reader needs to the end of the log. */
class Speeds {
  /** By reader: the last sample, and the positions a millisecond since the one before. */
  private readonly samples = new Map<string, { readonly at: number; readonly position: number; readonly speed: number | null }>();

  constructor(private readonly clock: Clock) {}

  secondsLeft(name: string, position: number, head: number): number | null {
    const at = this.clock.elapsed();
    const last = this.samples.get(name);
    if (!last || at - last.at >= SAMPLE) {
      const speed = last ? (position - last.position) / (at - last.at) : null;
      this.samples.set(name, { at, position, speed });
    }
    const speed = this.samples.get(name)?.speed ?? null;
    return speed === null || speed <= 0 || position >= head ? null : Math.ceil((head - position) / speed / 1_000);
  }
}

type FolderParts = {
  readonly sqlite: Pick<SqliteStore, 'events' | 'head' | 'isInline' | 'target'>;
  readonly projectors: readonly Projector[];
  readonly decisions: Pick<OperatorDecisions, 'isPaused'>;
  readonly clock: Clock;
};

/** The read models of a folder. Each append updates those that have caught up. */
export const readModelsOfFolder = ({ sqlite, projectors, decisions, clock }: FolderParts): ReadModels => {
  const speeds = new Speeds(clock);
  const stateOf = async ({ name, collection }: Projector): Promise<ReadModelState> => {
    const position = await sqlite.target.position(collection);
    const head = sqlite.head();
    const [next] = await sqlite.events.readAll(position, 1);
    const since = next && recordedTimeOf(next);
    return {
      name,
      version: collection.version,
      position,
      // The positions of this log have no gaps.
      behind: head - position,
      behindSeconds: next ? since && Math.max(0, clock.now().getTime() - since.getTime()) / 1_000 : 0,
      isInService: sqlite.isInline(collection) || decisions.isPaused(name),
      owner: `${hostname()}/${process.pid}`,
      secondsLeft: speeds.secondsLeft(checkpointOf(collection), position, head),
    };
  };
  return { states: () => Promise.all(projectors.map(stateOf)) };
};

type ServerParts = Omit<Parameters<typeof measureLag>[0], 'database' | 'projections'> & {
  readonly database: Pick<Mongo, 'checkpoints' | 'versionStates'>;
  readonly projections: readonly Projection[];
};

/** The read models of several machines. Each has an owner, which holds its lease. */
export const readModelsOnServers = (parts: ServerParts): ReadModels => {
  const { database, projections, head, clock } = parts;
  const speeds = new Speeds(clock);
  return {
    async states() {
      const [versions, lags, last] = await Promise.all([
        database.versionStates(projections.map(({ collection }) => collection)),
        measureLag(parts),
        head(),
      ]);
      return projections.map(({ name, collection }): ReadModelState => {
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
          secondsLeft: speeds.secondsLeft(checkpoint, position, last),
        };
      });
    },
  };
};
