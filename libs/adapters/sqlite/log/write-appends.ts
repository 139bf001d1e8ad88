import type { AppendResult, EncodedEvent, ExpectedRevision, StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';
import type { Database } from '../folder/database.js';

const LAST = 'SELECT revision FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1';
const EXISTING = 'SELECT id, position FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?';
const INSERT = 'INSERT INTO events (position, stream, revision, id, type, metadata, data) VALUES (?, ?, ?, ?, ?, ?, ?)';

/** Events to append to a stream with an expected revision. */
export type AppendRequest = {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EncodedEvent[];
};

/** The results of a transaction's appends, and the new events. */
export type WrittenAppends = { readonly results: readonly AppendResult[]; readonly appended: readonly StoredEvent[] };

/** The state of a transaction while its appends are written. */
type Transaction = {
  readonly database: Database;
  /** The position of the last event before the transaction. */
  readonly head: number;
  readonly appended: StoredEvent[];
  /** The last revision of each stream that this transaction has written to. */
  readonly last: Map<string, ExpectedRevision>;
};

/**
 * Writes appends within the open transaction, or the one that is being recorded for the commit thread. `head` is the position
 * of the log's last event.
 */
export const writeAppends = (database: Database, head: number, appends: readonly AppendRequest[]): WrittenAppends => {
  const transaction: Transaction = { database, head, appended: [], last: new Map() };
  const results = appends.map((append) => writeOne(transaction, append));
  return { results, appended: transaction.appended };
};

const writeOne = (transaction: Transaction, append: AppendRequest): AppendResult => {
  const { database, head, appended, last } = transaction;
  const { stream, expected, events } = append;
  const actual = last.get(stream) ?? lastOf(database, stream, expected);
  const first = expected === 'none' ? 0 : expected + 1;
  if (actual !== expected) return findEarlierResult(transaction, append, first) ?? { kind: 'conflict', actual };
  for (const [index, { id, type, data, metadata }] of events.entries()) {
    const position = head + appended.length + 1;
    const revision = first + index;
    database.write(INSERT, position, stream, revision, id, type, metadata, data);
    appended.push({ position, stream, revision, id, type, data, metadata });
  }
  const revision = first + events.length - 1;
  last.set(stream, revision);
  return { kind: 'appended', revision, position: head + appended.length };
};

/**
 * Returns the last revision of a stream, or `none` for a new stream. For speed, reads nothing if the append expects a new stream
 * and the transaction is recorded for the first time. If the stream exists after all, the insert fails on the unique index, and
 * the transaction is recorded again.
 */
const lastOf = (database: Database, stream: string, expected: ExpectedRevision): ExpectedRevision => {
  if (expected === 'none' && database.isRecording() && !database.isRetry()) return 'none';
  return (database.statement(LAST).get(stream)?.['revision'] ?? 'none') as ExpectedRevision;
};

/** Returns the original result if an earlier append wrote the same events at the same revision, otherwise null. */
const findEarlierResult = ({ database, appended }: Transaction, { stream, events }: AppendRequest, first: number): AppendResult | null => {
  const rows = database.statement(EXISTING).all(stream, first, events.length) as unknown as StoredEvent[];
  const committed = rows.map(({ position, id }) => ({ position, id }));
  // A recorded transaction cannot read its own writes.
  const uncommitted = appended.filter((event) => event.stream === stream && event.revision >= first + committed.length);
  const existing = database.isRecording() ? [...committed, ...uncommitted].slice(0, events.length) : committed;
  if (existing.length !== events.length || existing.some(({ id }, index) => id !== events[index]?.id)) return null;
  return { kind: 'appended', revision: first + events.length - 1, position: Number(existing.at(-1)?.position) };
};
