import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Page } from '../../../libs/application/request.js';
import { DEFAULT_LIMIT, DEFAULT_PAGE } from './collection.dto.js';
import { PRIVATE_REVALIDATE, sendRead } from './responses.js';

/** The requested page, with defaults. */
type PageRequest = { readonly page: number; readonly limit: number };

/** Returns the requested page. Missing values get their defaults (contract 7.2). */
export const pageRequest = ({ page = DEFAULT_PAGE, limit = DEFAULT_LIMIT }: Partial<PageRequest> = {}): PageRequest => ({ page, limit });

type PageOptions = {
  /** The URL of the collection without a query. With `url`, the page has links, which keep the filters of the request. */
  readonly url?: string;
  /** The Cache-Control header. By default, only the cache of this caller may store the page. */
  readonly cacheControl?: string;
};

/** Responds with a page of a collection, or with 304 if the caller already has the page (contract 8.2). */
export const sendPage = (
  reply: FastifyReply,
  found: Page,
  requested: Partial<PageRequest> | undefined,
  { url, cacheControl = PRIVATE_REVALIDATE }: PageOptions = {},
): void => {
  const page = pageRequest(requested);
  const json = collectionJson(found, page, url === undefined ? undefined : pageUrls(url, requested ?? {}, page.limit));
  sendRead(reply, json, digestTag(json), cacheControl);
};

/** Builds the JSON of a page from the JSON of its items, with links if `pageUrl` is given. */
export const collectionJson = ({ items, totalItems }: Page, { page, limit }: PageRequest, pageUrl?: (page: number) => string): string => {
  const totalPages = Math.ceil(totalItems / limit);
  const pagination = `{"page":${page},"limit":${limit},"totalItems":${totalItems},"totalPages":${totalPages}}`;
  const links = pageUrl ? `,"links":${linksJson(page, totalPages, pageUrl)}` : '';
  return `{"data":[${items.join(',')}],"pagination":${pagination}${links}}`;
};

/** Builds the JSON of the links of a page. URLs are percent-encoded, so they need no JSON escaping. */
const linksJson = (page: number, totalPages: number, pageUrl: (page: number) => string): string => {
  // An empty collection has one page, which is empty.
  const last = Math.max(1, totalPages);
  const next = page < last ? `"${pageUrl(page + 1)}"` : 'null';
  // For a page after the last one, `prev` is the last page (contract 7.3).
  const prev = page > 1 ? `"${pageUrl(Math.min(page - 1, last))}"` : 'null';
  return `{"self":"${pageUrl(page)}","first":"${pageUrl(1)}","last":"${pageUrl(last)}","next":${next},"prev":${prev}}`;
};

/**
 * Returns a function that builds the URL of a page. `filters` is the query of the request. The URL keeps all parameters of
 * this query except `page` and `limit`, which it sets (contract 7.3).
 */
export const pageUrls = (address: string, filters: object, limit: number): ((page: number) => string) => {
  let query = '';
  for (const [name, value] of Object.entries(filters))
    if (name !== 'page' && name !== 'limit') query += `${name}=${encodeURIComponent(String(value))}&`;
  return (page) => `${address}?${query}page=${page}&limit=${limit}`;
};

/**
 * Builds an entity tag from a digest of the body (contract 8.1). The first 27 characters have 162 bits: two different bodies
 * never have the same tag in practice.
 */
export const digestTag = (body: string | Buffer): string => hash('sha256', body, 'base64url').slice(0, 27);
