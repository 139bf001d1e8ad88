import { hash } from 'node:crypto';
import type { Page } from '../../../libs/application/request.js';
import { DEFAULT_LIMIT, DEFAULT_PAGE } from './collection.dto.js';

/** Which page was asked for, defaults filled in. */
type PageAsked = { readonly page: number; readonly limit: number };

/** Fills in what was not said. */
export const pageAsked = ({ page = DEFAULT_PAGE, limit = DEFAULT_LIMIT }: Partial<PageAsked> = {}): PageAsked => ({ page, limit });

/** A page as JSON text, put together from its items' texts; with links when it has an address. */
export const collectionJson = ({ items, totalItems }: Page, { page, limit }: PageAsked, pageUrl?: (page: number) => string): string => {
  const totalPages = Math.ceil(totalItems / limit);
  const pagination = `{"page":${page},"limit":${limit},"totalItems":${totalItems},"totalPages":${totalPages}}`;
  const links = pageUrl ? `,"links":${linksJson(page, totalPages, pageUrl)}` : '';
  return `{"data":[${items.join(',')}],"pagination":${pagination}${links}}`;
};

/** Addresses are percent-encoded, so nothing in them needs escaping in JSON. */
const linksJson = (page: number, totalPages: number, pageUrl: (page: number) => string): string => {
  const last = Math.max(1, totalPages);
  const next = page < last ? `"${pageUrl(page + 1)}"` : 'null';
  // Beyond the end the page before is the last there is.
  const prev = page > 1 ? `"${pageUrl(Math.min(page - 1, last))}"` : 'null';
  return `{"self":"${pageUrl(page)}","first":"${pageUrl(1)}","last":"${pageUrl(last)}","next":${next},"prev":${prev}}`;
};

/** "`links` keep the query's filters": the address of any page of the same collection. */
export const pageUrls = (address: string, filters: object, limit: number): ((page: number) => string) => {
  let kept = '';
  for (const [name, value] of Object.entries(filters))
    if (name !== 'page' && name !== 'limit') kept += `${name}=${encodeURIComponent(String(value))}&`;
  return (page) => `${address}?${kept}page=${page}&limit=${limit}`;
};

/** "collections, search and inventory by a digest of the body" */
export const digestTag = (body: string | Buffer): string => hash('sha256', body, 'base64url').slice(0, 27);
