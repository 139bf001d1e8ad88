import type { SQLInputValue } from 'node:sqlite';
import type { Condition, Scalar, Where } from '../../../eventsourcing/ports/documents.port.js';
import { quoted } from './declared-sql.js';

/** A WHERE clause (or nothing) and the values it binds. */
type Clause = { readonly text: string; readonly values: readonly SQLInputValue[] };

/** NULLs are never equal to each other in a key, and cells must be: an empty blob, which no value can be, stands for none. */
export const NO_VALUE: SQLInputValue = new Uint8Array(0);

/** A value as a cell keeps it. */
export const inCell = (value: Scalar): SQLInputValue => value ?? NO_VALUE;

type Kind = 'documents' | 'cells';

/**
 * The clause for conditions on documents, or on cells; `names` are the fields that may be asked for. With `sortedBy`, a
 * field's name, ranges of other fields do not choose the index: walking in sort order until a page is full beats finding
 * all that match and sorting them.
 */
export const clauseOf = (kind: Kind, names: readonly string[], where: Where, sortedBy?: string): Clause => {
  const values: SQLInputValue[] = [];
  const parts = Object.entries(where).map(([name, condition]) => {
    if (!names.includes(name)) throw new Error(`${kind} have no field ${name}`);
    // To SQLite a column behind a plus is an expression, which no index answers.
    const column = sortedBy !== undefined && isRange(condition) && name !== sortedBy ? `+${quoted(name)}` : quoted(name);
    return conditionOf(kind, column, condition, values);
  });
  return { text: parts.length > 0 ? `WHERE ${parts.join(' AND ')}` : '', values };
};

const isRange = (condition: Condition): boolean => condition !== null && typeof condition === 'object' && !('in' in condition);

const conditionOf = (kind: Kind, column: string, condition: Condition, values: SQLInputValue[]): string => {
  if (condition === null || typeof condition !== 'object') return equality(kind, column, condition, values);
  if ('in' in condition) return membership(kind, column, condition.in, values);
  return range(kind, column, condition, values);
};

const equality = (kind: Kind, column: string, value: Scalar, values: SQLInputValue[]): string => {
  if (value === null && kind === 'documents') return `${column} IS NULL`;
  values.push(inCell(value));
  return `${column} = ?`;
};

const membership = (kind: Kind, column: string, members: readonly Scalar[], values: SQLInputValue[]): string => {
  const bound = kind === 'cells' ? members : members.filter((value) => value !== null);
  values.push(...bound.map(inCell));
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
    // In SQLite's order a blob comes after every number and text: a range without an end would take the cells without a value.
    values.push(NO_VALUE);
    parts.push(`${column} < ?`);
  }
  return parts.length > 0 ? parts.join(' AND ') : 'TRUE';
};
