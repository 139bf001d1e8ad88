import type { ShownDelivery } from '../../../libs/application/deliveries/shown-deliveries.js';
import type { DeliveryStatus } from '../../../libs/deliveries/delivery.js';
import type { ReachedStore } from './store-client.js';

type Page = { readonly data: readonly ShownDelivery[]; readonly pagination: { readonly totalPages: number; readonly totalItems: number } };

const PAGE = 100;

/** The deliveries of an endpoint, newest first, in pages that are asked for as they are wanted. */
export async function* deliveryPages(
  store: ReachedStore,
  webhookId: string,
  status?: DeliveryStatus,
): AsyncGenerator<readonly ShownDelivery[]> {
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { json } = await listed(store, webhookId, status, `limit=${PAGE}&page=${page}`);
    yield json.data;
    pages = json.pagination.totalPages;
  }
}

/** How many deliveries of an endpoint have that status. */
export const countDeliveries = async (store: ReachedStore, webhookId: string, status: DeliveryStatus): Promise<number> =>
  (await listed(store, webhookId, status, 'limit=1')).json.pagination.totalItems;

/** One delivery as it stands now. */
export const readDelivery = async (store: ReachedStore, webhookId: string, id: string): Promise<ShownDelivery> =>
  (await store.ask<ShownDelivery>('GET', `/v1/webhooks/${webhookId}/deliveries/${id}`)).json;

const listed = (store: ReachedStore, webhookId: string, status: DeliveryStatus | undefined, query: string) =>
  store.ask<Page>('GET', `/v1/webhooks/${webhookId}/deliveries?${query}${status === undefined ? '' : `&status=${status}`}`);
