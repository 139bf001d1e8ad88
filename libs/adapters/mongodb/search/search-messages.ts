import type { Searched } from '../../../search/search-program.js';

/** What the thread needs to connect. */
export type SearchThreadData = { readonly url: string; readonly appName: string; readonly databaseName: string };

/** The documents of a read model that are searched: `name` is that of their MongoDB collection. */
export type SearchedDocuments = Searched & {
  /** The name of the record with their checkpoint, and their generation. */
  readonly version: string;
  readonly generation: number;
};

/**
 * What the thread tells when it knows of changes, before the answers that show them: the keys of the changed documents, or null if any
 * may have changed, and the position that the documents have reached, or null if it is the one of before.
 */
export type ToldChanges = Pick<SearchedDocuments, 'name' | 'version'> & {
  readonly keys: readonly string[] | null;
  readonly position: number | null;
};
