import type { DocumentQuery, Where } from '../eventsourcing/ports/documents.port.js';
import type { SearchAnswer, Searched, SearchQuestion, SearchResult } from './search-messages.js';

/** The size in MB of the thread's heap for new objects: the rows from which an index is made are garbage at once. */
export const YOUNG_MEGABYTES = 6;

/**
 * Asks the thread of searches. All methods resolve with null if the database must be searched instead: because the index is being
 * made, is late, or cannot be made.
 */
export class Searches<Of extends Searched> {
  /** The reason why there is no index now, by name, of which the log already has a line. */
  private readonly unusable = new Map<string, string>();

  constructor(
    private readonly ask: (question: SearchQuestion<Of>) => Promise<SearchAnswer>,
    private readonly warn: (name: string, reason: string) => void,
  ) {}

  /** Counts the documents that contain all events up to `position`. */
  async count(of: Of, where: Where, position: number): Promise<number | null> {
    return (await this.find({ of, position, where, page: null }))?.total ?? null;
  }

  /** Returns the keys of a page and the number of all documents that it is a page of, both as they are at one position. */
  page(of: Of, { where, ...page }: DocumentQuery, position: number): Promise<SearchResult | null> {
    return this.find({ of, position, where, page });
  }

  private async find(question: SearchQuestion<Of>): Promise<SearchResult | null> {
    const { name } = question.of;
    const answer = await this.ask(question);
    if ('keys' in answer) this.unusable.delete(name);
    else if ('unusable' in answer && this.unusable.get(name) !== answer.unusable) {
      this.unusable.set(name, answer.unusable);
      this.warn(name, answer.unusable);
    }
    return 'keys' in answer ? answer : null;
  }
}
