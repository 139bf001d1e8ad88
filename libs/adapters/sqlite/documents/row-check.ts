import type { SQLInputValue } from 'node:sqlite';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import type { Database } from '../folder/database.js';
import { STORE_FILE } from '../folder/file-names.js';
import type { Row } from './row-checksum.js';

/**
 * Reads rows that may be damaged. Node throws on an integer beyond 2^53. After this error, all rows are read again, with
 * every integer as a bigint.
 */
export const rowsOf = (database: Database, sql: string, values: readonly SQLInputValue[]): readonly Row[] => {
  try {
    return database.statement(sql).all(...values);
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== 'ERR_OUT_OF_RANGE') throw error;
    const exact = database.connection.prepare(sql);
    exact.setReadBigInts(true);
    return exact.all(...values);
  }
};

/**
 * Creates the error for a damaged row, with the remedy. `isRebuilt` is true if a projection fills the table: a rebuild of the
 * projection repairs such a table.
 */
export const damagedRow = (table: string, key: unknown, isRebuilt: boolean): StoreUnavailable =>
  new StoreUnavailable(
    `the row ${JSON.stringify(String(key))} of ${table} in ${STORE_FILE} is damaged: ` +
      (isRebuilt
        ? 'stop the service and run `petstore projections rebuild`'
        : 'restore a backup, because this table cannot be rebuilt from the log'),
  );
