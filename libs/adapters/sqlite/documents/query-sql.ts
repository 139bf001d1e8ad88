import type { SQLInputValue } from 'node:sqlite';
import type { Collection, DocumentQuery, Where } from '../../../eventsourcing/ports/documents.port.js';
import { clauseOf } from './conditions.js';
import { fieldNameOf, orderOf, sqlOf } from './declared-sql.js';

/** A SELECT and its bound values. */
type Select = { readonly sql: string; readonly values: readonly SQLInputValue[] };

/** Returns the SELECT of a page of documents. */
export const pageSqlOf = (collection: Collection, { where, sort, limit, offset }: DocumentQuery): Select => {
  const { table, columns, fieldNames } = sqlOf(collection);
  const { text, values } = clauseOf('documents', fieldNames, where, sort[0] && fieldNameOf(sort[0]));
  const sql = `SELECT ${columns} FROM ${table} ${text} ORDER BY ${orderOf(collection, sort)} LIMIT ? OFFSET ?`;
  return { sql, values: [...values, limit, offset] };
};

/** Returns the SELECT that counts documents, as `total`. */
export const countSqlOf = (collection: Collection, where: Where): Select => {
  const { table, fieldNames } = sqlOf(collection);
  const { text, values } = clauseOf('documents', fieldNames, where);
  return { sql: `SELECT count(*) AS total FROM ${table} ${text}`, values };
};

/** Returns the name of a page in the cache of results. */
export const pageNameOf = ({ sort, limit, offset }: DocumentQuery): string => `page ${sort.join()} ${limit} ${offset}`;
