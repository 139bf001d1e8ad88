import type { DocumentChanges } from '../eventsourcing/ports/document-changes.port.js';
import type { Clock } from '../eventsourcing/ports/clock.port.js';
import { reasonOf } from '../eventsourcing/reason.js';
import { FollowedIndex } from './followed-index.js';
import type { SearchAnswer, SearchQuestion, Searched } from './search-messages.js';

type Known = { readonly index: FollowedIndex; failure?: string };

/** When the database is searched instead of an index. */
export type Fallback = {
  /** Milliseconds after which an index that could not be followed is made again. */
  readonly retryAfter: number;
  readonly after: Clock['after'];
};

/** Answers questions by indexes in memory, one of each collection, in the thread of searches. An index is made when it is first asked. */
export class SearchProgram<Of extends Searched> {
  private readonly changes: DocumentChanges<Of>;
  private readonly fallback: Fallback | null;
  private readonly indexes = new Map<string, Known>();

  /**
   * With `fallback`, a question does not wait until an index is made, and not long for its position. Without it, it waits, and an index
   * that cannot be followed is made again once it was dropped.
   */
  constructor(changes: DocumentChanges<Of>, fallback: Fallback | null) {
    this.changes = changes;
    this.fallback = fallback;
  }

  async answer({ of, position, where, page }: SearchQuestion<Of>): Promise<SearchAnswer> {
    const known = this.indexes.get(of.name) ?? this.start(of);
    const { index: followed } = known;
    if (known.failure === undefined) {
      const isLate = followed.isMaking() && this.fallback !== null;
      if (!isLate && (await followed.hasReached(position))) {
        const { index } = followed;
        return { total: index.count(where), keys: page ? index.keys({ where, ...page }) : [] };
      }
    }
    return known.failure === undefined ? { late: true } : { unusable: known.failure };
  }

  /** Starts to make an index, and to follow the changes of its documents. */
  start(of: Of): Known {
    const known: Known = { index: new FollowedIndex(of.facets, this.fallback?.after ?? null) };
    this.indexes.set(of.name, known);
    const remove = (): void => {
      for (const [name, each] of this.indexes) if (each === known) this.indexes.delete(name);
    };
    const fail = (error: unknown): void => {
      known.failure = reasonOf(error);
      if (this.fallback) this.fallback.after(this.fallback.retryAfter, remove);
    };
    void this.changes
      .follow(of, known.index)
      .then(remove, fail)
      .then(() => known.index.end());
    return known;
  }

  /** Gives an index another name. An index that had this name is dropped. */
  rename(from: string, to: string): void {
    const known = this.indexes.get(from);
    this.indexes.delete(from);
    if (known) this.indexes.set(to, known);
    else this.indexes.delete(to);
  }

  /** Drops an index, if there is one. */
  drop(name: string): void {
    this.indexes.delete(name);
  }
}
