import type { DocumentQuery, Facets, Where } from '../../../eventsourcing/ports/documents.port.js';

/** What the thread needs to connect. */
export type SearchThreadData = { readonly url: string; readonly appName: string; readonly databaseName: string };

/** The documents of a read model that are searched: `documents` is the name of their MongoDB collection. */
export type IndexedDocuments = {
  readonly documents: string;
  /** The name of the record with their checkpoint, and their generation. */
  readonly version: string;
  readonly generation: number;
  readonly facets: Facets;
};

/** A question to the thread, which the documents answer that contain all events up to `position`. */
export type SearchQuestion = { readonly searched: IndexedDocuments; readonly position: number } & (
  { readonly kind: 'count'; readonly where: Where } | { readonly kind: 'keys'; readonly query: DocumentQuery }
);

/**
 * `late`: the index is being made, or has not reached the position in time. `unusable`: why there is no index. In both cases
 * MongoDB must be searched.
 */
export type SearchAnswer = { readonly result: number | readonly string[] } | { readonly late: true } | { readonly unusable: string };
