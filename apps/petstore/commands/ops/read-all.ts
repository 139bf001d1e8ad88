import type { ServiceClient } from '../../client/service-client.js';

/** A page of a collection, with only the members that `readAll` uses (contract 7.1). */
type Page<T> = { readonly data: readonly T[]; readonly pagination: { readonly totalPages: number } };

/** The largest `limit` that a collection permits (contract 7.2). */
const PAGE = 100;

/** Returns the entries of all pages of a collection. `path` must have no query string, because this function adds one. */
export const readAll = async <T>(client: Pick<ServiceClient, 'request'>, path: string): Promise<readonly T[]> => {
  const items: T[] = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { data, pagination } = (await client.request<Page<T>>('GET', `${path}?page=${page}&limit=${PAGE}`)).json;
    items.push(...data);
    pages = pagination.totalPages;
  }
  return items;
};
