/**
 * The program of the thread that SearchThread starts. It has a connection of its own, and keeps an index of each collection that is
 * searched.
 */
import { workerData } from 'node:worker_threads';
import { reasonOf } from '../../../eventsourcing/reason.js';
import { answerQuestions } from '../../../threads/answer-questions.js';
import { clientOf } from '../connection/connection.js';
import { FollowedIndex } from './followed-index.js';
import type { IndexedDocuments, SearchAnswer, SearchQuestion, SearchThreadData } from './search-messages.js';

/** Milliseconds after which an index whose change stream has failed is made again. */
const RETRY_AFTER = 5_000;

type Known = { readonly followed: FollowedIndex; failure?: string };

const { url, appName, databaseName } = workerData as SearchThreadData;
const client = clientOf(url, appName);
const database = client.db(databaseName);
const indexes = new Map<string, Known>();

/** Starts to make an index, and to follow the changes of its documents. */
const start = (searched: IndexedDocuments): Known => {
  const entry: Known = { followed: new FollowedIndex(database, searched) };
  indexes.set(searched.documents, entry);
  const remove = (): void => void indexes.delete(searched.documents);
  entry.followed.follow().then(remove, (error: unknown) => {
    entry.failure = reasonOf(error);
    setTimeout(remove, RETRY_AFTER).unref();
  });
  return entry;
};

const answer = async (question: SearchQuestion): Promise<SearchAnswer> => {
  const { searched, position } = question;
  const entry = indexes.get(searched.documents) ?? start(searched);
  if (entry.failure !== undefined) return { unusable: entry.failure };
  if (!(await entry.followed.hasReached(position))) return { late: true };
  const { index } = entry.followed;
  return { result: question.kind === 'count' ? index.count(question.where) : index.keys(question.query) };
};

const close = async (): Promise<void> => {
  for (const { followed } of indexes.values()) await followed.close();
  await client.close();
};

answerQuestions<SearchQuestion>({ answer, close });
