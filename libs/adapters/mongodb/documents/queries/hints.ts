import type { Collection as MongoCollection, Document } from 'mongodb';
import { isMissingHint } from '../../connection/failures.js';

/** The option that makes a command use an index by name, or no option. */
export type Hint = { readonly hint?: string };

/**
 * Runs commands with index hints, and remembers missing indexes. An index may be missing if a process of
 * another release has created the collection. Without its index, a command runs without a hint, which is slower.
 */
export class Hints {
  private readonly missing = new Set<string>();
  private asOf = 0;

  constructor(
    /** Returns a number that increases when a version or its documents change. Missing indexes are then tried again. */
    private readonly revision: () => number,
  ) {}

  /** Runs `work` with a hint if the collection has the index. */
  async withHint<T, D extends Document>(
    collection: MongoCollection<D>,
    index: string | undefined,
    work: (hint: Hint) => Promise<T>,
  ): Promise<T> {
    if (this.asOf !== this.revision()) this.missing.clear();
    this.asOf = this.revision();
    const name = `${collection.collectionName} ${index}`;
    if (index === undefined || this.missing.has(name)) return work({});
    try {
      return await work({ hint: index });
    } catch (error) {
      if (!isMissingHint(error)) throw error;
      this.missing.add(name);
      return work({});
    }
  }
}
