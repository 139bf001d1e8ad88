import type { DeliveryBody } from '../../../libs/application/deliveries/delivery-views.js';
import type { DeliveryStatus } from '../../../libs/deliveries/delivery.js';
import type { StoreClient } from './store-client.js';

type Page = { readonly data: readonly DeliveryBody[]; readonly pagination: { readonly totalPages: number; readonly totalItems: number } };

const PAGE = 100;

/** Yields the deliveries of an endpoint page by page, newest first. */
export async function* readDeliveryPages(
  store: StoreClient,
  webhookId: string,
  status?: DeliveryStatus,
): AsyncGenerator<readonly DeliveryBody[]> {
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { json } = await readPage(store, webhookId, status, `limit=${PAGE}&page=${page}`);
    yield json.data;
    pages = json.pagination.totalPages;
  }
}

/** Returns the number of an endpoint's deliveries with this status. */
export const countDeliveries = async (store: StoreClient, webhookId: string, status: DeliveryStatus): Promise<number> =>
  (await readPage(store, webhookId, status, 'limit=1')).json.pagination.totalItems;

/** Reads one delivery. */
export const readDelivery = async (store: StoreClient, webhookId: string, id: string): Promise<DeliveryBody> =>
  (await store.request<DeliveryBody>('GET', `/v1/webhooks/${webhookId}/deliveries/${id}`)).json;

const readPage = (store: StoreClient, webhookId: string, status: DeliveryStatus | undefined, query: string) =>
  store.request<Page>('GET', `/v1/webhooks/${webhookId}/deliveries?${query}${status === undefined ? '' : `&status=${status}`}`);
