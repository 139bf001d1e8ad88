import type { Collection, Documents, Find } from '../eventsourcing/ports/documents.port.js';
import { BrokenHistory, isOfOtherTenant } from '../eventsourcing/history.js';
import type { Page, View } from './request.js';
import { viewOf } from './views.js';

/** One document as it goes out; another tenant's is null, as if it did not exist. */
export const viewInTenant = async (
  documents: Documents,
  projection: { readonly collection: Collection; readonly version: number },
  id: string,
  tenant: string,
): Promise<View | null> => {
  const document = await documents.get(projection.collection, id).catch(hiddenFrom(tenant));
  return document?.fields['tenant'] === tenant ? viewOf(document, projection) : null;
};

/** Another tenant's broken resource is none, too. */
const hiddenFrom =
  (tenant: string) =>
  (error: unknown): null => {
    if (error instanceof BrokenHistory && isOfOtherTenant(tenant, error)) return null;
    throw error;
  };

/** A page (from 1) and the exact total: added up from cells where they carry every condition, counted otherwise. */
export const pageOf = async (
  documents: Documents,
  collection: Collection,
  { page, limit, ...find }: Omit<Find, 'offset'> & { readonly page: number },
  totals: 'sum' | 'count',
): Promise<Page> => {
  const totalItems =
    totals === 'sum' ? ((await documents.sum(collection, find.where))[''] ?? 0) : await documents.count(collection, find.where);
  const offset = (page - 1) * limit;
  const items = offset < totalItems ? await documents.texts(collection, { ...find, limit, offset }) : [];
  return { items, totalItems };
};
