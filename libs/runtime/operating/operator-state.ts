import { hash } from 'node:crypto';
import { NONE_SKIPPED, type SkippedEvents } from '../../eventsourcing/event-codec.js';
import type { Collection, Documents } from '../../eventsourcing/ports/documents.port.js';
import { createSerialQueue } from '../../eventsourcing/scheduling/serial-queue.js';
import type { WantedFills } from '../../eventsourcing/ports/fills.port.js';

/**
 * What operators have decided and processes follow, in one document. No projection makes it, so it holds while read models are
 * rebuilt. The events on `operations-<day>` say who decided what (contract 43.1).
 */
export const OPERATOR_STATE: Collection = { name: 'operator_state', version: 1, fields: {}, indexes: [], cells: [] };

/** The key of the document. */
export const OPERATOR_STATE_KEY = 'state';

/** A pause of a read model: since when in ISO 8601, and who paused it why. */
export type Pause = { readonly since: string; readonly by: string; readonly reason?: string };

/**
 * A second fill of a read model, which is to replace the one that queries read. `filling`: it has not reached the end of the log, or is
 * not compared. `held`: it is equal, and waits for an operator. `differs`: it waits for an operator, because it is not equal.
 */
export type Fill = {
  /** The version of the read model. A fill of another version than that of this release is dropped. */
  readonly version: number;
  readonly since: string;
  readonly by: string;
  readonly hold: boolean;
  readonly state: 'filling' | 'held' | 'differs';
  /** What differs. */
  readonly difference?: string;
};

/**
 * A read model that a fill has replaced, and that receives events until `until`, in ISO 8601. `exchange` is the id of the last exchange:
 * one whose answer was lost must not be made twice.
 */
export type Kept = {
  readonly version: number;
  readonly until: string;
  readonly exchange: string;
  /** Whether the fill is kept, because an operator went back. Otherwise what it has replaced is. */
  readonly isFill?: true;
};

/** An event that one read model or consumer leaves out, since when in ISO 8601, and who decided it why. */
export type SkippedEvent = {
  /** The projection or consumer. */
  readonly name: string;
  readonly stream: string;
  readonly revision: number;
  /** The id of the event. A restored log may have another one at that revision. Absent if the log has none. */
  readonly id?: string;
  readonly since: string;
  readonly by: string;
  readonly reason: string;
};

/** An action whose request had an Idempotency-Key: the id that follows from key, caller and operation, when in ISO 8601, and the keyed digest of its body. */
export type KeyedAction = { readonly id: string; readonly at: string; readonly bodyDigest: string };

/** Stored as JSON. A member is absent if nothing was decided, or if it would be empty. */
export type OperatorState = {
  /** The paused read models, by the names of their projections. */
  readonly paused?: Readonly<Record<string, Pause>>;
  /** The second fills, by the names of their projections. */
  readonly fills?: Readonly<Record<string, Fill>>;
  /** The replaced read models that are kept, by the names of their projections. */
  readonly kept?: Readonly<Record<string, Kept>>;
  /** The number of requests to retry what is parked, by the name of the reader or consumer. */
  readonly retries?: Readonly<Record<string, number>>;
  /** The skipped events, in the order in which they were skipped. */
  readonly skipped?: readonly SkippedEvent[];
  /**
   * The streams that projections must fold again, because what is skipped has changed, by the names of the projections. Each with the
   * number of the request to retry that came with the change.
   */
  readonly refolds?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The number of decisions about each read model, by the names of the projections. */
  readonly decided?: Readonly<Record<string, number>>;
  /** The last actions with an Idempotency-Key, the oldest first. */
  readonly acted?: readonly KeyedAction[];
  /** The action that is being recorded. No other begins before `until`, in ISO 8601, so that none is recorded and then refused. */
  readonly turn?: { readonly id: string; readonly until: string };
};

/**
 * Returns the entity tag of what operators have decided about a read model, and of what has become of its fill: an action with another
 * one in If-Match is refused, because the read model has changed since (contract 43.1).
 */
export const decisionTag = ({ decided, fills }: OperatorState, projection: string): string =>
  hash('sha256', JSON.stringify([projection, decided?.[projection] ?? 0, fills?.[projection]?.state ?? null]), 'hex').slice(0, 16);

/** Returns the state with one more decision about a read model, which changes its tag even if it takes an earlier one back. */
export const withDecision = (state: OperatorState, projection: string): OperatorState => ({
  ...state,
  decided: { ...state.decided, [projection]: (state.decided?.[projection] ?? 0) + 1 },
});

/** Returns the state without what a member says about a projection. */
export const without = (state: OperatorState, member: 'paused' | 'fills' | 'kept', projection: string): OperatorState => {
  const { [projection]: _, ...others } = state[member] ?? {};
  const { [member]: __, ...rest } = state;
  return Object.keys(others).length > 0 ? { ...state, [member]: others } : rest;
};

/** Returns the state with one more request to retry for each name. */
export const withRetries = (state: OperatorState, names: Iterable<string>): OperatorState => {
  const retries = { ...state.retries };
  for (const name of names) retries[name] = (retries[name] ?? 0) + 1;
  return { ...state, retries };
};

/** Returns the fills that operators want, of the versions of this release. */
export const wantedFills = (
  { fills = {}, kept = {} }: OperatorState,
  projections: readonly { readonly name: string; readonly version: number }[],
): WantedFills => {
  const namesOf = (decided: Readonly<Record<string, { readonly version: number }>>): ReadonlySet<string> =>
    new Set(projections.filter(({ name, version }) => decided[name]?.version === version).map(({ name }) => name));
  return { fill: namesOf(fills), kept: namesOf(kept) };
};

/** Reads the fills that operators want now. Rejects with StoreUnavailable. */
export const readWantedFills = async (
  documents: Pick<Documents, 'get'>,
  projections: readonly { readonly name: string; readonly version: number }[],
): Promise<WantedFills> => wantedFills(stateIn(await readState(documents)), projections);

/** Reads the text of the document. Undefined if nothing was decided yet. */
const readState = async (documents: Pick<Documents, 'get'>): Promise<string | undefined> =>
  (await documents.get(OPERATOR_STATE, OPERATOR_STATE_KEY))?.json;

/** Returns the state in the text of the document. */
export const stateIn = (json = '{}'): OperatorState => JSON.parse(json) as OperatorState;

const NO_REVISIONS: readonly number[] = [];

/** Returns the skipped events of a state. */
export const skippedEventsOf = ({ skipped = [] }: OperatorState): SkippedEvents => {
  if (skipped.length === 0) return NONE_SKIPPED;
  const byStream = Map.groupBy(skipped, ({ stream }) => stream);
  return {
    skippedBy({ stream, revision, id }) {
      const names = byStream.get(stream)?.flatMap((event) => (event.revision === revision && event.id === id ? [event.name] : []));
      return names && names.length > 0 ? names : undefined;
    },
    skippedRevisions(name, stream) {
      const events = byStream.get(stream);
      if (!events) return NO_REVISIONS;
      return events.flatMap((event) => (event.name === name ? [event.revision] : [])).toSorted((a, b) => a - b);
    },
  };
};

/** Knows what operators have decided. `refresh` must be called when other processes may have decided more. */
export class OperatorDecisions implements SkippedEvents {
  private state: OperatorState = {};
  private skipped = NONE_SKIPPED;
  private json: string | undefined = '';
  private readonly inTurn = createSerialQueue();
  private readonly listeners = new Set<() => void | Promise<void>>();

  constructor(private readonly documents: Pick<Documents, 'get'>) {}

  current(): OperatorState {
    return this.state;
  }

  /** Returns whether the read model of a projection is paused. */
  isPaused(projection: string): boolean {
    return this.state.paused?.[projection] !== undefined;
  }

  skippedBy(event: Parameters<SkippedEvents['skippedBy']>[0]): readonly string[] | undefined {
    return this.skipped.skippedBy(event);
  }

  skippedRevisions(name: string, stream: string): readonly number[] {
    return this.skipped.skippedRevisions(name, stream);
  }

  /** Returns whether a read model has folded a stream with other skipped events before. */
  isRefolded(projection: string, stream: string): boolean {
    return this.state.refolds?.[projection]?.[stream] !== undefined || this.skippedRevisions(projection, stream).length > 0;
  }

  /** Reads the document. After a change, resolves when all listeners have resolved. Rejects with StoreUnavailable, or as they do. */
  refresh(): Promise<void> {
    return this.inTurn(() => this.read());
  }

  private async read(): Promise<void> {
    const json = await readState(this.documents);
    if (json === this.json) return;
    this.state = stateIn(json);
    this.skipped = skippedEventsOf(this.state);
    for (const listener of [...this.listeners]) await listener();
    // If a listener has failed, the next call lets all of them follow.
    this.json = json;
  }

  /** Calls `listener` after each change. Returns a function that ends that. */
  onChange(listener: () => void | Promise<void>): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
