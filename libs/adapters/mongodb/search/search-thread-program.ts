/**
 * The program of the thread that SearchThread starts. It has a connection of its own, keeps an index of each collection that is
 * searched, and tells the main thread which documents change.
 */
import { workerData } from 'node:worker_threads';
import type { DocumentFollower } from '../../../eventsourcing/ports/document-changes.port.js';
import { SearchProgram, type SearchQuestion } from '../../../search/search-program.js';
import { answerQuestions, tellMainThread } from '../../../threads/answer-questions.js';
import { clientOf } from '../connection/connection.js';
import { MongoChanges } from './mongo-changes.js';
import type { SearchedDocuments, SearchThreadData, ToldChanges } from './search-messages.js';

/** Milliseconds after which an index whose change stream has failed is made again. */
const RETRY_AFTER = 5_000;

const after = (milliseconds: number, work: () => void): (() => void) => {
  const timer = setTimeout(work, milliseconds).unref();
  return () => clearTimeout(timer);
};

const { url, appName, databaseName } = workerData as SearchThreadData;
const client = clientOf(url, appName);
const changes = new MongoChanges(client.db(databaseName));

/** Tells the main thread what a follower is told, once in a turn of the event loop and whenever a position is reached. */
const telling = ({ name, version }: SearchedDocuments, follower: DocumentFollower): DocumentFollower => {
  let keys: Set<string> | null = null;
  const tell = (position: number | null): void => {
    if (keys?.size === 0 && position === null) return;
    tellMainThread<ToldChanges>({ name, version, keys: keys && [...keys], position });
    keys = new Set();
  };
  return {
    load: (key, fields) => follower.load(key, fields),
    loaded() {
      follower.loaded();
      tell(null);
    },
    change(key, fields) {
      follower.change(key, fields);
      if (keys?.size === 0) setImmediate(() => tell(null));
      keys?.add(key);
    },
    reach(position) {
      tell(position);
      follower.reach(position);
    },
  };
};

/** Once the documents are followed no longer, the main thread is not told of changes: any may change. */
const follow = ({ name, version }: SearchedDocuments, following: Promise<void>): Promise<void> =>
  following.finally(() => tellMainThread<ToldChanges>({ name, version, keys: null, position: null }));

const program = new SearchProgram<SearchedDocuments>(
  { follow: (of, follower) => follow(of, changes.follow(of, telling(of, follower))) },
  { retryAfter: RETRY_AFTER, after },
);

answerQuestions<SearchQuestion<SearchedDocuments>>({
  answer: (question) => program.answer(question),
  async close() {
    await changes.close();
    await client.close();
  },
});
