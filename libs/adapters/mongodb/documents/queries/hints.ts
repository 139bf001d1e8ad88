import type { Collection as MongoCollection, Document } from 'mongodb';
import { isMissingHint } from '../../connection/failures.js';

/** The option that makes a command use an index by name, or no option. */
export type Hint = { readonly hint?: string };

/**
 * Knows which indexes exist. A command runs without a hint when its index is missing, because a process of
 * another release prepared the collection. It is slower then, but succeeds.
 */
export class Hints {
  private readonly missing = new Set<string>();
  private asOf = 0;

  constructor(
    /** Grows when a version or its documents have changed. Then missing indexes are tried again. */
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
