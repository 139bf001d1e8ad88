import type { DocumentQuery, Facets, Where } from '../eventsourcing/ports/documents.port.js';

/** The documents that are searched. `name` is that of the table, or of the collection of a database. */
export type Searched = { readonly name: string; readonly facets: Facets };

/** A page of keys, or `null`: only the number of documents is wanted. */
export type KeysWanted = Pick<DocumentQuery, 'sort' | 'limit' | 'offset'> | null;

/** A question about documents that contain all events up to `position`. */
export type SearchQuestion<Of extends Searched> = {
  readonly of: Of;
  readonly position: number;
  readonly where: Where;
  readonly page: KeysWanted;
};

/** How many documents meet the conditions, and the keys of the page: both as they are at one position. */
export type SearchResult = { readonly total: number; readonly keys: readonly string[] };

/**
 * `late`: the index is being made, or has not reached the position in time. `unusable`: why there is no index. In both cases the
 * database must be searched.
 */
export type SearchAnswer = SearchResult | { readonly late: true } | { readonly unusable: string };
