import type { Collection, Documents } from '../../eventsourcing/ports/documents.port.js';

/**
 * What operators have decided and processes follow, in one document. No projection makes it, so it holds while read models are
 * rebuilt. The events on `operations-<day>` say who decided what (contract 43.1).
 */
export const OPERATOR_STATE: Collection = { name: 'operator_state', version: 1, fields: {}, indexes: [], cells: [] };

/** The key of the document. */
export const OPERATOR_STATE_KEY = 'state';

/** A pause of a read model: since when in ISO 8601, and who paused it why. */
export type Pause = { readonly since: string; readonly by: string; readonly reason?: string };

/** Stored as JSON. A member is absent if nothing was decided, or if it would be empty. */
export type OperatorState = {
  /** The paused read models, by the names of their projections. */
  readonly paused?: Readonly<Record<string, Pause>>;
  /** The number of requests to retry what is parked, by the name of the reader or consumer. */
  readonly retries?: Readonly<Record<string, number>>;
};

/** Knows what operators have decided. `refresh` must be called when other processes may have decided more. */
export class OperatorDecisions {
  private state: OperatorState = {};
  private json = '';
  private readonly listeners = new Set<() => void | Promise<void>>();

  constructor(private readonly documents: Pick<Documents, 'get'>) {}

  current(): OperatorState {
    return this.state;
  }

  /** Returns whether the read model of a projection is paused. */
  isPaused(projection: string): boolean {
    return this.state.paused?.[projection] !== undefined;
  }

  /** Reads the document. After a change, resolves when all listeners have resolved. Rejects with StoreUnavailable, or as they do. */
  async refresh(): Promise<void> {
    const json = (await this.documents.get(OPERATOR_STATE, OPERATOR_STATE_KEY))?.json ?? '{}';
    if (json === this.json) return;
    this.json = json;
    this.state = JSON.parse(json) as OperatorState;
    for (const listener of [...this.listeners]) await listener();
  }

  /** Calls `listener` after each change. Returns a function that ends that. */
  onChange(listener: () => void | Promise<void>): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
