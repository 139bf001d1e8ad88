import type { DocumentQuery } from '../eventsourcing/ports/documents.port.js';
import type { SearchAnswer, Searched, SearchQuestion, SearchResult } from './search-program.js';

/** The size in MB of the thread's heap for new objects: the rows from which an index is made are garbage at once. */
export const YOUNG_MEGABYTES = 6;

/** Asks the thread of searches. */
export class Searches<Of extends Searched> {
  /** The reason why there is no index now, by name, of which the log already has a line. */
  private readonly unusable = new Map<string, string>();

  constructor(
    private readonly ask: (question: SearchQuestion<Of>) => Promise<SearchAnswer>,
    private readonly warn: (name: string, reason: string) => void,
  ) {}

  /**
   * Returns the keys of a page and its total, both as they are at `position` or later. Resolves with null if the database must be
   * searched instead: because the index is being made, is late, or cannot be made.
   */
  async page(of: Of, query: DocumentQuery, position: number): Promise<SearchResult | null> {
    const answer = await this.ask({ of, query, position });
    if ('keys' in answer) {
      this.unusable.delete(of.name);
      return answer;
    }
    if ('unusable' in answer && this.unusable.get(of.name) !== answer.unusable) {
      this.unusable.set(of.name, answer.unusable);
      this.warn(of.name, answer.unusable);
    }
    return null;
  }
}
