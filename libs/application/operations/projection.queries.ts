import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Parked } from '../../eventsourcing/ports/parked.port.js';
import { ReadModels, type ReadModelState } from '../../eventsourcing/ports/read-models.port.js';
import { checkpointOf } from '../../eventsourcing/ports/documents.port.js';
import { projections } from '../../projections/projections.js';
import { Fills } from '../../eventsourcing/ports/fills.port.js';
import { decisionTag, OperatorDecisions, type Fill, type Pause } from '../../runtime/operating/operator-state.js';
import type { ResultOf } from '../request.js';

/** What stops besides reads while a read model is paused, by projection. `pause` of the command line asks before it does that. */
const STOPPED_BY_PAUSE: Readonly<Record<string, readonly string[]>> = {
  orders: ['unpaid orders do not expire, so their pets stay reserved'],
  adoptions: ['adoption applications do not expire, so their pets stay held'],
  webhooks: ['new and changed webhook endpoints get no events, and removed ones may get some'],
  users: ['staff accounts that were created meanwhile do not count when another one is the last that may not leave'],
};

/**
 * The state of a read model. `running`: it follows the log. `filling`: a new version is filled, and queries read an older one, if there
 * is one. `paused`: an operator has paused it.
 */
export type ProjectionStatus = Omit<ReadModelState, 'isInService' | 'lastError'> & {
  /** Why it has failed, or why it has parked the last one of its parked streams. `at` is unknown of a stream. */
  readonly lastError?: { readonly error: string; readonly at?: string };
  readonly status: 'running' | 'filling' | 'paused';
  /** The number of its parked streams. */
  readonly parked: number;
  readonly pause?: Pause;
  /** The second fill, if there is one. `position` is null until a process fills it. */
  readonly fill?: Pick<Fill, 'state' | 'since' | 'by' | 'hold' | 'difference'> & { readonly position: number | null };
  /** Until when what a fill has replaced is kept. Absent if nothing is. */
  readonly keptUntil?: string;
  /** What is kept until then: what a fill has replaced, or the fill itself after an operator went back. */
  readonly kept?: 'replaced' | 'fill';
  /** The entity tag of what operators have decided about it, for If-Match. */
  readonly etag: string;
  /** What stops besides reads while it is paused. */
  readonly stoppedByPause: readonly string[];
};

/** The state of each read model. */
export class ListProjections extends Query<readonly ProjectionStatus[]> {}

@QueryHandler(ListProjections)
export class ListProjectionsHandler implements IQueryHandler<ListProjections> {
  constructor(
    private readonly readModels: ReadModels,
    private readonly parked: Parked,
    private readonly decisions: OperatorDecisions,
    private readonly fills: Fills,
  ) {}

  async execute(): Promise<ResultOf<ListProjections>> {
    await this.decisions.refresh();
    const [states, parked] = await Promise.all([this.readModels.states(), this.parked.streams()]);
    const { paused = {}, fills = {}, kept = {} } = this.decisions.current();
    const positions = new Map<string, number | null>();
    for (const { name } of projections) if (fills[name]) positions.set(name, (await this.fills.progress(name, 'fill'))?.position ?? null);
    const checkpoints = new Map(projections.map(({ name, collection }) => [name, checkpointOf(collection)]));
    return states.map(({ isInService, lastError, ...state }) => {
      const { name } = state;
      const own = parked.filter(({ projection }) => projection === checkpoints.get(name)).toSorted((a, b) => b.position - a.position);
      const pause = paused[name];
      const { version: _, ...fill } = fills[name] ?? { version: 0 };
      return {
        ...state,
        status: pause ? 'paused' : isInService ? 'running' : 'filling',
        parked: own.length,
        ...(lastError ? { lastError } : own[0] && { lastError: { error: own[0].reason } }),
        ...(pause && { pause }),
        ...('state' in fill && { fill: { ...fill, position: positions.get(name) ?? null } }),
        ...(kept[name] && { keptUntil: kept[name].until, kept: kept[name].isFill ? 'fill' : 'replaced' }),
        etag: `"${decisionTag(this.decisions.current(), name)}"`,
        stoppedByPause: STOPPED_BY_PAUSE[state.name] ?? [],
      };
    });
  }
}
