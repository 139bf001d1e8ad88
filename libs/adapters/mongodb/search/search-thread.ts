import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import type { DocumentQuery, Where } from '../../../eventsourcing/ports/documents.port.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';
import { reasonOf } from '../../../eventsourcing/reason.js';
import { AnsweringThread } from '../../../threads/answering-thread.js';
import { moduleBeside } from '../../../threads/start-thread.js';
import type { IndexedDocuments, SearchAnswer, SearchQuestion, SearchThreadData } from './search-messages.js';

/** Milliseconds before a thread that has died is started again. */
const REST = 5_000;

/**
 * Answers searches and counts from indexes in memory, in a thread. The thread follows the changes of MongoDB. A search therefore
 * names the position that it must see. All methods resolve with null if MongoDB must be searched instead: because the index is
 * being made, is late, or cannot be made.
 */
export class SearchThread {
  private readonly thread: AnsweringThread<SearchQuestion>;
  /** The reason why there is no index now, for which the log already has a line. */
  private unusable: string | null = null;
  /** Set for some time after the thread has died, so that it is not started for every search, and after `close`. */
  private isResting = false;

  constructor(
    data: SearchThreadData,
    private readonly log: Log,
    private readonly clock: Clock,
  ) {
    this.thread = new AnsweringThread({
      program: moduleBeside(import.meta.url, './search-thread-program'),
      dataOf: () => data,
      toError: (reason) => new StoreUnavailable(`a search failed: ${reason}`),
    });
  }

  /** Counts the documents of a read model that contains all events up to `position`. */
  async count(searched: IndexedDocuments, where: Where, position: number): Promise<number | null> {
    return (await this.ask({ kind: 'count', searched, where, position })) as number | null;
  }

  /** Returns the keys of a page of a read model that contains all events up to `position`. */
  async keys(searched: IndexedDocuments, query: DocumentQuery, position: number): Promise<readonly string[] | null> {
    return (await this.ask({ kind: 'keys', searched, query, position })) as readonly string[] | null;
  }

  close(): Promise<void> {
    this.isResting = true;
    return this.thread.close(this.clock);
  }

  private async ask(question: SearchQuestion): Promise<number | readonly string[] | null> {
    const answer = await this.answerTo(question);
    if ('result' in answer) {
      this.unusable = null;
      return answer.result;
    }
    if ('unusable' in answer) this.warn(question.searched.documents, answer.unusable);
    return null;
  }

  private async answerTo(question: SearchQuestion): Promise<SearchAnswer> {
    if (this.isResting) return { late: true };
    try {
      return (await this.thread.ask(question)) as SearchAnswer;
    } catch (error) {
      this.isResting = true;
      this.clock.after(REST, () => (this.isResting = false));
      return { unusable: reasonOf(error) };
    }
  }

  private warn(collection: string, reason: string): void {
    if (this.unusable === reason) return;
    this.unusable = reason;
    this.log.warn({ collection, reason }, 'searches are slow, because their index could not be made; it is made again');
  }
}
