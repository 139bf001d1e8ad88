import type { DocumentChanges } from '../eventsourcing/ports/document-changes.port.js';
import type { Clock } from '../eventsourcing/ports/clock.port.js';
import type { DocumentQuery, Facets } from '../eventsourcing/ports/documents.port.js';
import { reasonOf } from '../eventsourcing/reason.js';
import { FollowedIndex } from './followed-index.js';

/** The documents that are searched. `name` is that of the table, or of the collection of a database. */
export type Searched = { readonly name: string; readonly facets: Facets };

/** A question to the thread of searches, about documents that contain all events up to `position`. */
export type SearchQuestion<Of extends Searched> = { readonly of: Of; readonly position: number; readonly query: DocumentQuery };

/** The keys of a page, and how many documents meet its conditions: both as they are at one position. */
export type SearchResult = { readonly total: number; readonly keys: readonly string[] };

/**
 * `late`: the index is being made, or has not reached the position in time. `unusable`: why there is no index. In both cases the
 * database must be searched.
 */
export type SearchAnswer = SearchResult | { readonly late: true } | { readonly unusable: string };

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

  async answer({ of, position, query }: SearchQuestion<Of>): Promise<SearchAnswer> {
    const known = this.indexes.get(of.name) ?? this.start(of);
    const { index: followed } = known;
    const isWaitedFor = known.failure === undefined && (this.fallback === null || !followed.isMaking());
    const isReached = isWaitedFor && (await followed.hasReached(position));
    // It may have failed meanwhile.
    if (known.failure !== undefined) return { unusable: known.failure };
    return isReached ? { total: followed.index.count(query.where), keys: followed.index.keys(query) } : { late: true };
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
