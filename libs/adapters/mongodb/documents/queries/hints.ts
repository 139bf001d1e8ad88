import type { Collection as MongoCollection, Document } from 'mongodb';
import { isMissingHint } from '../../connection/failures.js';

/** What a command is given to follow an index by name, or nothing. */
export type Hint = { readonly hint?: string };

/**
 * Which indexes commands may follow by name. One that is not there yet, since another release made the collection ready, is done without:
 * the command is slower then, and succeeds.
 */
export class Hints {
  private readonly missing = new Set<string>();
  private asOf = 0;

  constructor(
    /** Grows whenever a version or its documents were seen to have changed: hints are tried again then. */
    private readonly revision: () => number,
  ) {}

  /** Runs `work` with a hint at that index where the collection has it. */
  async following<T, D extends Document>(
    place: MongoCollection<D>,
    index: string | undefined,
    work: (hint: Hint) => Promise<T>,
  ): Promise<T> {
    if (this.asOf !== this.revision()) this.missing.clear();
    this.asOf = this.revision();
    const name = `${place.collectionName} ${index}`;
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
