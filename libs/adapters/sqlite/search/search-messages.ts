import type { SQLInputValue } from 'node:sqlite';
import type { MessagePort } from 'node:worker_threads';
import type { DocumentQuery, Facets, Where } from '../../../eventsourcing/ports/documents.port.js';

/** What the thread needs to start. `file` is the URL of the store's file, and `pragmas` configure the thread's connection. */
export type SearchThreadData = { readonly file: string; readonly pragmas: string; readonly port: MessagePort };

/** What the thread needs to make the index of a collection, and to check its rows. `select` is a SELECT of all rows. */
export type IndexDescription = {
  readonly table: string;
  readonly facets: Facets;
  readonly fieldNames: readonly string[];
  readonly select: string;
};

/** A question to the thread, without its number. */
export type Question =
  | { readonly kind: 'count'; readonly described: IndexDescription; readonly where: Where }
  | { readonly kind: 'keys'; readonly described: IndexDescription; readonly query: DocumentQuery }
  | { readonly kind: 'rows'; readonly sql: string; readonly values: readonly SQLInputValue[] };

export type IndexQuestion = Question & { readonly id: number };

/** A message to the thread. Only questions are answered. */
export type ThreadMessage =
  | IndexQuestion
  | { readonly kind: 'changed'; readonly described: IndexDescription; readonly keys: readonly string[] }
  | { readonly kind: 'replaced'; readonly table: string }
  | { readonly kind: 'stop' };

/** The answer to a question. `unusable`: why the thread has no index of a collection, so that it must be searched by SQL. */
export type ThreadReport = { readonly id: number; readonly result?: unknown; readonly failed?: string; readonly unusable?: string };
