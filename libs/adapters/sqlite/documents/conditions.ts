import type { SQLInputValue } from 'node:sqlite';
import type { Condition, Scalar, Where } from '../../../eventsourcing/ports/documents.port.js';
import { quote } from './declared-sql.js';

/** A WHERE clause, or an empty text, and its bound values. */
type Clause = { readonly text: string; readonly values: readonly SQLInputValue[] };

/**
 * Represents null in a cell's key. A cell with an SQL NULL in its key would not be found again, because NULL does not equal
 * NULL. No other value is stored as an empty blob.
 */
export const NULL_CELL: SQLInputValue = new Uint8Array(0);

/** Converts a value to its representation in a cell's key. */
export const cellValueOf = (value: Scalar): SQLInputValue => value ?? NULL_CELL;

/** What the conditions select: documents, or cells with their amounts. */
type Kind = 'documents' | 'cells';

/**
 * Converts conditions on declared fields to a clause. If `sortedBy`, the first field of the sort, is given, SQLite cannot use
 * an index for a range condition on any other field. So it reads in sort order until the page is full, which is faster than
 * sorting all matches.
 */
export const clauseOf = (kind: Kind, names: readonly string[], where: Where, sortedBy?: string): Clause => {
  const values: SQLInputValue[] = [];
  const parts = Object.entries(where).map(([name, condition]) => {
    if (!names.includes(name)) throw new Error(`${kind} have no field ${name}`);
    // SQLite uses no index for a column with a unary plus.
    const column = sortedBy !== undefined && isRange(condition) && name !== sortedBy ? `+${quote(name)}` : quote(name);
    return conditionOf(kind, column, condition, values);
  });
  return { text: parts.length > 0 ? `WHERE ${parts.join(' AND ')}` : '', values };
};

const isRange = (condition: Condition): boolean => condition !== null && typeof condition === 'object' && !('in' in condition);

/** Returns the SQL text of a condition, and appends its bound values to `values`. */
const conditionOf = (kind: Kind, column: string, condition: Condition, values: SQLInputValue[]): string => {
  if (condition === null || typeof condition !== 'object') return equality(kind, column, condition, values);
  if ('in' in condition) return membership(kind, column, condition.in, values);
  return range(kind, column, condition, values);
};

const equality = (kind: Kind, column: string, value: Scalar, values: SQLInputValue[]): string => {
  if (value === null && kind === 'documents') return `${column} IS NULL`;
  values.push(cellValueOf(value));
  return `${column} = ?`;
};

const membership = (kind: Kind, column: string, members: readonly Scalar[], values: SQLInputValue[]): string => {
  // A null in a document is an SQL NULL, which IN never matches.
  const bound = kind === 'cells' ? members : members.filter((value) => value !== null);
  values.push(...bound.map(cellValueOf));
  const among = `${column} IN (${bound.map(() => '?').join(', ')})`;
  return bound.length === members.length ? among : `(${among} OR ${column} IS NULL)`;
};

const range = (
  kind: Kind,
  column: string,
  { from, to }: { readonly from?: Scalar; readonly to?: Scalar },
  values: SQLInputValue[],
): string => {
  const parts: string[] = [];
  if (from !== undefined) {
    values.push(from);
    parts.push(`${column} >= ?`);
  }
  if (to !== undefined) {
    values.push(to);
    parts.push(`${column} <= ?`);
  } else if (from !== undefined && kind === 'cells') {
    // SQLite sorts blobs after numbers and texts, so an open range would include the cells with null.
    values.push(NULL_CELL);
    parts.push(`${column} < ?`);
  }
  return parts.length > 0 ? parts.join(' AND ') : 'TRUE';
};
