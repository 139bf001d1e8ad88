import type { SQLInputValue } from 'node:sqlite';
import type { DocumentQuery, Facets, Where } from '../../../eventsourcing/ports/documents.port.js';

/** What the thread needs to start: the URL of the store's file, and the pragmas of its connection. */
export type SearchThreadData = { readonly file: string; readonly pragmas: string };

/** What the thread needs to make the index of a collection, and to check its rows. `select` is a SELECT of all rows. */
export type IndexDescription = {
  readonly table: string;
  readonly facets: Facets;
  readonly fieldNames: readonly string[];
  readonly select: string;
};

/** A question about a collection with an index. Its answer is an IndexAnswer. */
export type IndexQuestion =
  | { readonly kind: 'count'; readonly described: IndexDescription; readonly where: Where }
  | { readonly kind: 'keys'; readonly described: IndexDescription; readonly query: DocumentQuery };

/** A question to the thread. The answer to `rows` are the rows of the SELECT. */
export type SearchQuestion = IndexQuestion | { readonly kind: 'rows'; readonly sql: string; readonly values: readonly SQLInputValue[] };

/** `unusable`: why the thread has no index of the collection, so that it must be searched by SQL. */
export type IndexAnswer = { readonly result: number | readonly string[] } | { readonly unusable: string };

/** What the thread is notified of, after the commit. */
export type SearchNotice =
  | { readonly kind: 'changed'; readonly described: IndexDescription; readonly keys: readonly string[] }
  | { readonly kind: 'created'; readonly described: IndexDescription }
  | { readonly kind: 'replaced'; readonly table: string }
  | { readonly kind: 'renamed'; readonly from: string; readonly to: string };
