import type { SearchResult } from './search-program.js';

/** How often a page is searched again, because documents changed between the search and the read. */
const MAX_ATTEMPTS = 3;

/** Documents of a page, and the number of all documents that it is a page of. */
export type FoundPage<Found> = { readonly found: readonly Found[]; readonly total: number };

/**
 * Searches the keys of a page, and reads their documents. `read` leaves out a document that has changed since the search, so that it is
 * gone or no longer meets the conditions. The page is then searched again, and at last shown without such documents. Resolves with null
 * if `search` does: there is no index.
 */
export const readCurrentPage = async <Found>(
  search: () => Promise<SearchResult | null>,
  read: (keys: readonly string[]) => readonly Found[] | Promise<readonly Found[]>,
): Promise<FoundPage<Found> | null> => {
  for (let attempt = 1; ; attempt++) {
    const result = await search();
    if (!result) return null;
    const { keys, total } = result;
    const found = await read(keys);
    if (found.length === keys.length || attempt === MAX_ATTEMPTS) return { found, total };
  }
};
