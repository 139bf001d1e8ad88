import type { SQLInputValue } from 'node:sqlite';
import type { Searched, SearchQuestion } from '../../../search/search-program.js';

/** What the thread needs to start: the URL of the store's file, and the pragmas of its connection. */
export type SearchThreadData = { readonly file: string; readonly pragmas: string };

/** The table that is searched, what its rows contain, and the columns of a SELECT of all that is needed to check a row. */
export type SearchedTable = Searched & { readonly fieldNames: readonly string[]; readonly columns: string };

/** A question to the thread. The answer to `rows` are the rows of the SELECT. */
export type FolderQuestion =
  | { readonly kind: 'search'; readonly search: SearchQuestion<SearchedTable> }
  | { readonly kind: 'rows'; readonly sql: string; readonly values: readonly SQLInputValue[] };

/** What the thread is notified of, after the commit. */
export type SearchNotice =
  | { readonly kind: 'changed'; readonly table: string; readonly keys: readonly string[] }
  | { readonly kind: 'created'; readonly of: SearchedTable }
  | { readonly kind: 'replaced'; readonly table: string }
  | { readonly kind: 'renamed'; readonly from: string; readonly to: string };
