import type { Collection, Documents } from '../../eventsourcing/ports/documents.port.js';

/**
 * What operators have decided and processes follow, in one document. No projection makes it, so it holds while read models are
 * rebuilt. The events on `operations-<day>` say who decided what (contract 43.1).
 */
export const OPERATOR_STATE: Collection = { name: 'operator_state', version: 1, fields: {}, indexes: [], cells: [] };

/** The key of the document. */
export const OPERATOR_STATE_KEY = 'state';

/** Stored as JSON. A member is absent if nothing was decided. */
export type OperatorState = {
  /** The number of requests to retry what is parked, by the name of the reader or consumer. */
  readonly retries?: Readonly<Record<string, number>>;
};

/** Knows what operators have decided. `refresh` must be called when other processes may have decided more. */
export class OperatorDecisions {
  private state: OperatorState = {};
  private json = '';
  private readonly listeners = new Set<() => void>();

  constructor(private readonly documents: Pick<Documents, 'get'>) {}

  current(): OperatorState {
    return this.state;
  }

  /** Reads the document. Rejects with StoreUnavailable. */
  async refresh(): Promise<void> {
    const json = (await this.documents.get(OPERATOR_STATE, OPERATOR_STATE_KEY))?.json ?? '{}';
    if (json === this.json) return;
    this.json = json;
    this.state = JSON.parse(json) as OperatorState;
    for (const listener of [...this.listeners]) listener();
  }

  /** Calls `listener` after each change. Returns a function that ends that. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
