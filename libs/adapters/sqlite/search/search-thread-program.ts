/**
 * The program of the thread that SearchThread starts. It answers one message after the other. Its connection sees every commit that
 * the main thread knew when it sent the message. A changed document is read again, so it does not matter if the commit of a message
 * was rolled back. A damaged row makes an index unusable until the documents are replaced.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { answerQuestions } from '../../../threads/answer-questions.js';
import { FacetIndex } from '../../../search/facet-index.js';
import type { Fields } from '../../../eventsourcing/ports/documents.port.js';
import { reasonOf } from '../../../eventsourcing/reason.js';
import { isDamaged, type Row } from '../documents/row-checksum.js';
import type { IndexAnswer, IndexDescription, SearchNotice, SearchQuestion, SearchThreadData } from './search-messages.js';

type IndexedRow = { readonly key: string; readonly fields: Fields };
type Known = { readonly index: FacetIndex } | { readonly unusable: string };

const { file, pragmas } = workerData as SearchThreadData;
const database = new DatabaseSync(new URL(file));
database.exec(pragmas);
const statements = new Map<string, StatementSync>();
const indexes = new Map<string, Known>();

const statement = (sql: string): StatementSync => {
  const prepared = statements.get(sql) ?? database.prepare(sql);
  statements.set(sql, prepared);
  return prepared;
};

const checked = ({ fieldNames }: IndexDescription, row: Row): IndexedRow => {
  if (isDamaged(fieldNames, row)) throw new Error(`the row ${JSON.stringify(row['key'])} is damaged`);
  return { key: row['key'] as string, fields: row as Fields };
};

const load = (described: IndexDescription): FacetIndex => {
  const index = new FacetIndex(described.facets);
  for (const row of database.prepare(`${described.select} ORDER BY key`).iterate()) {
    const { key, fields } = checked(described, row);
    index.append(key, fields);
  }
  index.sort();
  return index;
};

const refresh = (index: FacetIndex, described: IndexDescription, keys: readonly string[]): void => {
  for (const key of keys) {
    const row = statement(`${described.select} WHERE key = ?`).get(key);
    if (row) index.put(key, checked(described, row).fields);
    else index.remove(key);
  }
};

/** Runs work on an index. If it throws, the index cannot be used any more. */
const orUnusable = (table: string, work: () => FacetIndex): Known => {
  let entry: Known;
  try {
    entry = { index: work() };
  } catch (error) {
    entry = { unusable: reasonOf(error) };
  }
  indexes.set(table, entry);
  return entry;
};

const onChanged = (described: IndexDescription, keys: readonly string[]): void => {
  const entry = indexes.get(described.table);
  if (entry && 'index' in entry)
    orUnusable(described.table, () => {
      refresh(entry.index, described, keys);
      return entry.index;
    });
};

const answer = (question: SearchQuestion): IndexAnswer | readonly Row[] => {
  if (question.kind === 'rows') return statement(question.sql).all(...question.values);
  const { described } = question;
  const entry = indexes.get(described.table) ?? orUnusable(described.table, () => load(described));
  if ('unusable' in entry) return entry;
  return { result: question.kind === 'count' ? entry.index.count(question.where) : entry.index.keys(question.query) };
};

const onRenamed = (from: string, to: string): void => {
  const entry = indexes.get(from);
  indexes.delete(from);
  if (entry) indexes.set(to, entry);
  else indexes.delete(to);
};

const onNotice = (notice: SearchNotice): void => {
  if (notice.kind === 'changed') onChanged(notice.described, notice.keys);
  else if (notice.kind === 'created') orUnusable(notice.described.table, () => load(notice.described));
  else if (notice.kind === 'replaced') indexes.delete(notice.table);
  else onRenamed(notice.from, notice.to);
};

answerQuestions<SearchQuestion, SearchNotice>({ answer, onNotice, close: () => database.close() });
