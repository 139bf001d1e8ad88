import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import type { Log } from '../../../eventsourcing/ports/log.port.js';
import { reasonOf } from '../../../eventsourcing/reason.js';
import { Searches, YOUNG_MEGABYTES } from '../../../search/searches.js';
import type { SearchAnswer, SearchQuestion } from '../../../search/search-program.js';
import { AnsweringThread } from '../../../threads/answering-thread.js';
import { moduleBeside } from '../../../threads/start-thread.js';
import type { SearchedDocuments, SearchThreadData, ToldChanges } from './search-messages.js';

/** Milliseconds before a thread that has died is started again. */
const REST = 5_000;

type SearchThreadOptions = {
  readonly data: SearchThreadData;
  readonly log: Log;
  readonly clock: Clock;
  /** Receives the changes that the thread knows of, before the answers that show them. */
  readonly onTold: (changes: ToldChanges) => void;
};

/** The thread that answers searches and counts from indexes in memory. It follows the changes of MongoDB. */
export class SearchThread {
  readonly searches: Searches<SearchedDocuments>;
  private readonly thread: AnsweringThread<SearchQuestion<SearchedDocuments>, never, ToldChanges>;
  /** Set for some time after the thread has died, so that it is not started for every search, and after `close`. */
  private isResting = false;

  constructor(private readonly options: SearchThreadOptions) {
    const { data, log, onTold } = options;
    this.thread = new AnsweringThread({
      program: moduleBeside(import.meta.url, './search-thread-program'),
      dataOf: () => data,
      youngMegabytes: YOUNG_MEGABYTES,
      toError: (reason) => new StoreUnavailable(`a search failed: ${reason}`),
      onTold,
    });
    this.searches = new Searches(
      (question) => this.ask(question),
      (collection, reason) =>
        log.warn({ collection, reason }, 'searches are slow, because their index could not be made; it is made again'),
    );
  }

  close(): Promise<void> {
    this.isResting = true;
    return this.thread.close(this.options.clock);
  }

  private async ask(question: SearchQuestion<SearchedDocuments>): Promise<SearchAnswer> {
    if (this.isResting) return { late: true };
    try {
      return (await this.thread.ask(question)) as SearchAnswer;
    } catch (error) {
      const { name, version } = question.of;
      this.options.onTold({ name, version, keys: null, position: null });
      this.isResting = true;
      this.options.clock.after(REST, () => (this.isResting = false));
      return { unusable: reasonOf(error) };
    }
  }
}
