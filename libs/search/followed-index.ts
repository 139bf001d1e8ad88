import type { DocumentFollower } from '../eventsourcing/ports/document-changes.port.js';
import type { Clock } from '../eventsourcing/ports/clock.port.js';
import type { Facets, Fields } from '../eventsourcing/ports/documents.port.js';
import { FacetIndex } from './facet-index.js';

/** How long in milliseconds a search waits until the index has reached its position. Changes lag by few milliseconds. */
const WAIT = 500;

type Waiting = { readonly position: number; readonly end: (isReached: boolean) => void };

/** An index in memory that follows the documents of a collection. */
export class FollowedIndex implements DocumentFollower {
  readonly index: FacetIndex;
  /** The index contains all changes by events up to here. Negative while it is made. */
  private position = -1;
  private readonly waiting = new Set<Waiting>();
  private readonly after: Clock['after'] | null;

  /** Without `after`, questions wait for their position as long as it takes. */
  constructor(facets: Facets, after: Clock['after'] | null) {
    this.after = after;
    this.index = new FacetIndex(facets);
  }

  load(key: string, fields: Fields): void {
    this.index.append(key, fields);
  }

  loaded(): void {
    this.index.sort();
  }

  change(key: string, fields: Fields | null): void {
    if (fields) this.index.put(key, fields);
    else this.index.remove(key);
  }

  reach(position: number): void {
    this.position = position;
    for (const wait of [...this.waiting]) if (wait.position <= position) wait.end(true);
  }

  /** Ends all waits, because the documents are followed no longer. */
  end(): void {
    this.position = -1;
    for (const { end } of [...this.waiting]) end(false);
  }

  /** Returns whether the index is being made, or is followed no longer. */
  isMaking(): boolean {
    return this.position < 0;
  }

  /** Resolves with whether the index contains all changes up to a position. Waits for changes under way, or for the index to be made. */
  hasReached(position: number): Promise<boolean> {
    if (this.position >= position) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (isReached: boolean): void => {
        cancel?.();
        this.waiting.delete(wait);
        resolve(isReached);
      };
      const wait = { position, end };
      this.waiting.add(wait);
      const cancel = this.isMaking() ? undefined : this.after?.(WAIT, () => end(false));
    });
  }
}
