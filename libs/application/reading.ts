import type { Collection, Documents, DocumentQuery } from '../eventsourcing/ports/documents.port.js';
import { isOfOtherTenant } from '../eventsourcing/history.js';
import type { Page, View } from './request.js';
import { viewOf } from './views.js';

/** Returns the view of one document. Null for another tenant's document, as if it did not exist. */
export const viewInTenant = async (
  documents: Documents,
  projection: { readonly collection: Collection; readonly version: number },
  id: string,
  tenant: string,
): Promise<View | null> => {
  const document = await documents.get(projection.collection, id).catch(hideFromOtherTenants(tenant));
  return document?.fields['tenant'] === tenant ? viewOf(document, projection) : null;
};

/** Returns the view of the resource that has this number in the tenant, or null (contract 39.3). */
export const viewByNumber = async (
  documents: Documents,
  projection: { readonly collection: Collection; readonly version: number },
  number: number,
  tenant: string,
): Promise<View | null> => {
  const [document] = await documents.find(projection.collection, { where: { tenant, number }, sort: [], limit: 1, offset: 0 });
  return document ? viewOf(document, projection) : null;
};

/** Returns null for another tenant's broken resource, and throws any other error. */
const hideFromOtherTenants =
  (tenant: string) =>
  (error: unknown): null => {
    if (isOfOtherTenant(tenant, error)) return null;
    throw error;
  };

/**
 * Returns a page and the exact total. `page` starts at 1. `totals` says how the total is found if no index has both. `sum` adds up the cells
 * (counters by field values) of the collection. The cells must have every field of the conditions. `count` counts the
 * documents, which is slower.
 */
export const pageOf = async (
  documents: Documents,
  collection: Collection,
  { page, limit, ...find }: Omit<DocumentQuery, 'offset'> & { readonly page: number },
  totals: 'sum' | 'count',
): Promise<Page> => {
  const offset = (page - 1) * limit;
  const indexed = await documents.page(collection, { ...find, limit, offset });
  if (indexed) return { items: indexed.texts, totalItems: indexed.total };
  // A sum that is not grouped by a field has the key `''`.
  const totalItems =
    totals === 'sum' ? ((await documents.sum(collection, find.where))[''] ?? 0) : await documents.count(collection, find.where);
  const items = offset < totalItems ? await documents.texts(collection, { ...find, limit, offset }) : [];
  return { items, totalItems };
};
