import type { DeliveryResource } from '../../../libs/application/deliveries/delivery-views.js';
import type { DeliveryStatus } from '../../../libs/deliveries/delivery.js';
import type { ServiceClient } from './service-client.js';

type Page = {
  readonly data: readonly DeliveryResource[];
  readonly pagination: { readonly totalPages: number; readonly totalItems: number };
};

const PAGE_SIZE = 100;

/** Yields the deliveries of an endpoint page by page, newest first. */
export async function* readDeliveryPages(
  service: ServiceClient,
  webhookId: string,
  status?: DeliveryStatus,
): AsyncGenerator<readonly DeliveryResource[]> {
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { json } = await readPage(service, webhookId, status, `limit=${PAGE_SIZE}&page=${page}`);
    yield json.data;
    pages = json.pagination.totalPages;
  }
}

/** Returns the number of an endpoint's deliveries with this status. */
export const countDeliveries = async (service: ServiceClient, webhookId: string, status: DeliveryStatus): Promise<number> =>
  (await readPage(service, webhookId, status, 'limit=1')).json.pagination.totalItems;

/** Reads one delivery. */
export const readDelivery = async (service: ServiceClient, webhookId: string, id: string): Promise<DeliveryResource> =>
  (await service.request<DeliveryResource>('GET', `/v1/webhooks/${webhookId}/deliveries/${id}`)).json;

const readPage = (service: ServiceClient, webhookId: string, status: DeliveryStatus | undefined, query: string) =>
  service.request<Page>('GET', `/v1/webhooks/${webhookId}/deliveries?${query}${status === undefined ? '' : `&status=${status}`}`);
