import type { Collection } from '../../../eventsourcing/ports/documents.port.js';
import type { HistoryFault } from '../../../eventsourcing/history.js';
import { sqlOf } from '../documents/declared-sql.js';
import { rowsOf } from '../documents/row-check.js';
import { isDamaged } from '../documents/row-checksum.js';
import type { Database } from '../folder/database.js';

/** A read model, and the category of the streams that it contains. */
export type CoveredStreams = { readonly category: string; readonly collection: Collection };

/**
 * Faults of streams with missing events. `next` is the row after which the next call continues, or null after the last row.
 */
export type MissingStreams = { readonly faults: readonly HistoryFault[]; readonly next: number | null };

/**
 * Selects the highest position that a reader of the log has reached. Of the checkpoints, it uses only those
 * of read models, with names like `pets_v1`. Other checkpoints contain days or times instead of positions of the log.
 */
const FURTHEST_READER =
  'SELECT max(position) AS position FROM ' +
  "(SELECT position FROM consumers UNION ALL SELECT position FROM checkpoints WHERE name GLOB '*_v[0-9]*')";
const COUNT = 'SELECT count(*) AS count, max(position) AS head FROM events';
const GAPS =
  'SELECT position, (SELECT max(earlier.position) FROM events AS earlier WHERE earlier.position < events.position) AS before FROM events ' +
  'WHERE position > 1 AND NOT EXISTS (SELECT 1 FROM events AS earlier WHERE earlier.position = events.position - 1)';
const HEAD = 'SELECT max(position) AS position FROM events';

/**
 * Checks up to `limit` documents, which follow the row `after`. Returns a fault for each stream that ends before the revision
 * of its document. Skips damaged rows.
 */
export const findMissingStreams = (database: Database, covered: CoveredStreams, after: number, limit: number): MissingStreams =>
  findIn(database, covered, 'true', after, limit);

/**
 * Does the same for all documents, faster: does not look for the events of a document whose rebuilt document, in `rebuilt`, has
 * its revision. These events are in the log, because the rebuilt document is made from it.
 */
export const findStreamsLostSince = (database: Database, covered: CoveredStreams, rebuilt: Collection): readonly HistoryFault[] => {
  const { table } = sqlOf(covered.collection);
  const has = (row: string): string =>
    `EXISTS (SELECT 1 FROM ${sqlOf(rebuilt).table} AS rebuilt WHERE ${row} AND rebuilt.revision >= ${table}.revision)`;
  const sameKey = `rebuilt.key = ${table}.key`;
  // Both tables were usually filled in the same order. The row with the same number is found faster than the one with the same key.
  const isMissing = `NOT ${has(`rebuilt.rowid = ${table}.rowid AND ${sameKey}`)} AND NOT ${has(sameKey)}`;
  return findIn(database, covered, isMissing, 0, NO_LIMIT).faults;
};

/** In SQLite a negative LIMIT means no limit. */
const NO_LIMIT = -1;

const findIn = (
  database: Database,
  { category, collection }: CoveredStreams,
  condition: string,
  after: number,
  limit: number,
): MissingStreams => {
  const { table } = sqlOf(collection);
  const tenant = 'tenant' in collection.fields ? 'tenant' : 'NULL AS tenant';
  // The revision in a damaged row may be beyond 2^53. Node throws on such an integer, so the query reads it as a text.
  const rows = database
    .statement(
      `SELECT rowid AS number, key, CAST(revision AS TEXT) AS revision, ${tenant}, ` +
        `coalesce((SELECT max(events.revision) FROM events WHERE events.stream = ? || key), -1) AS recorded ` +
        `FROM ${table} WHERE rowid > ? AND ${condition} ORDER BY rowid LIMIT ?`,
    )
    .all(`${category}-`, after, limit);
  const faults = rows.flatMap((row): readonly HistoryFault[] => {
    const [documentRevision, logRevision] = [Number(row['revision']), Number(row['recorded'])];
    if (logRevision >= documentRevision || isDamagedAt(database, collection, Number(row['number']))) return [];
    const stream = `${category}-${String(row['key'])}`;
    const reason = `event ${logRevision + 1} of ${stream} is missing: a read model shows the stream up to revision ${documentRevision}`;
    return [{ stream, revision: logRevision + 1, kind: 'altered', reason, tenant: row['tenant'] as string | null }];
  });
  const last = rows.at(-1);
  return { faults, next: rows.length < limit || !last ? null : Number(last['number']) };
};

/** Returns whether a document's row is damaged. The revision of a damaged row may be wrong. */
const isDamagedAt = (database: Database, collection: Collection, number: number): boolean => {
  const { table, columns, fieldNames } = sqlOf(collection);
  return rowsOf(database, `SELECT ${columns} FROM ${table} WHERE rowid = ?`, [number]).some((row) => isDamaged(fieldNames, row));
};

/** Returns a fault for each gap in the positions of the log. */
export const findMissingPositions = (database: Database): readonly HistoryFault[] => {
  const row = database.statement(COUNT).get();
  if (Number(row?.['count']) === Number(row?.['head'] ?? 0)) return [];
  return database
    .statement(GAPS)
    .all()
    .map((gap) => missingFault(Number(gap['before'] ?? 0) + 1, Number(gap['position']) - 1));
};

const missingFault = (from: number, to: number): HistoryFault => {
  const reason = from === to ? `position ${from} of the log is missing` : `positions ${from} to ${to} of the log are missing`;
  return { stream: `log@${from}`, revision: 0, kind: 'altered', reason, tenant: null };
};

/** Returns a fault if the log ends before the position that a reader has reached; otherwise null. */
export const findMissingEnd = (database: Database): HistoryFault | null => {
  const [furthest, head] = [FURTHEST_READER, HEAD].map((sql) => Number(database.statement(sql).get()?.['position'] ?? 0));
  if (furthest === undefined || head === undefined || furthest <= head) return null;
  const reason = `the log ends at position ${head}, but its readers have reached position ${furthest}`;
  return { stream: `log-end@${head + 1}`, revision: 0, kind: 'altered', reason, tenant: null };
};
