import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import type { DeliveryResource, RedeliveryResource } from '../../libs/application/deliveries/delivery-views.js';
import { copyDeliveries } from '../../libs/deliveries/copy-deliveries.js';
import { manualClock, type ManualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { copyLog } from '../../libs/runtime/codec/copy-log.js';
import { openWebhookStore, type WebhookStore } from '../journeys/webhook-petstore.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { expectProblem } from './problems.js';

const MINUTE = 60_000;
const isDelivered = ({ status }: DeliveryResource): boolean => status === 'delivered';

/** Proves contract 20.11, contract 20.12, contract 20.13 and contract 23.9. */
describe('a deleted delivery', () => {
  let clock: ManualClock;
  let folder: string;
  let store: WebhookStore;
  const open = async (dataDir: string): Promise<WebhookStore> =>
    (store = await openWebhookStore(dataDir, clock, { DELIVERY_RETENTION: '2h' }));
  beforeEach(async () => {
    clock = manualClock();
    await open((folder = newFolder()));
  });
  afterEach(async () => {
    await store.close();
    removeFolders();
  });

  /** Registers an endpoint. Waits until a delivery to it has succeeded and has been deleted. Returns that delivery. */
  const deleteOne = async (): Promise<DeliveryResource> => {
    const { id } = await store.register();
    await store.listPet();
    const delivery = await store.waitForNewest(id, 'delivered', isDelivered);
    clock.advance(100 * MINUTE);
    expect(await store.deliveries(id)).toHaveLength(1);
    await store.waitUntil('the delivery to be deleted', async () => {
      clock.advance(5 * MINUTE);
      return (await store.deliveries(id)).length === 0;
    });
    return delivery;
  };

  it('is 404, is not listed and cannot be redelivered; the log output has the number of deleted deliveries', async () => {
    const { id, webhookId } = await deleteOne();
    const address = `/v1/webhooks/${webhookId}/deliveries`;
    expectProblem(await store.service.call('GET', `${address}/${id}`), 404, 'not-found');
    expectProblem(await store.service.call('POST', `${address}/${id}/redelivery`), 404, 'not-found');
    for (const query of ['', '?status=delivered'])
      expect((await store.service.call('GET', `${address}${query}`)).json).toMatchObject({ data: [], pagination: { totalItems: 0 } });
    expect(store.service.lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ deliveries: 1, msg: 'deleted the deliveries that were delivered longer ago than DELIVERY_RETENTION' }),
    );
  });

  it('is sent again, with the same id, by a redelivery of a period that includes it', async () => {
    const { id, webhookId, eventId, createdAt } = await deleteOne();
    const since = new Date(Date.parse(createdAt) - MINUTE).toISOString();
    const { id: redelivery } = await store.post<RedeliveryResource>(`/v1/webhooks/${webhookId}/redelivery`, { since });
    expect((await store.waitForRedelivery(webhookId, redelivery)).deliveries).toBe(1);
    const [first, second] = await store.waitForRequests(2);
    expect([first, second].map((request) => request?.headers['webhook-id'])).toEqual([eventId, eventId]);
    expect((await store.waitForNewest(webhookId, 'delivered', isDelivered)).id).toBe(id);
  });

  it('is not sent again by a service on a copied store, which handles all events again', async () => {
    const { webhookId } = await deleteOne();
    await store.close();
    const [log, copied] = [createLog('silent'), newFolder()];
    const [from, to] = [
      await openEmbeddedStore({ directory: folder, log, clock }),
      await openEmbeddedStore({ directory: copied, log, clock }),
    ];
    await copyDeliveries(from.documents, to);
    await copyLog(from.store, to.store, () => undefined);
    await Promise.all([from.close(), to.close()]);
    await open(copied);
    const body = { url: store.receiver.url, events: ['pet.statusChanged'] };
    expect((await store.service.call('PUT', `/v1/webhooks/${webhookId}`, { body })).status).toBe(200);
    await store.listPet();
    await store.waitForNewest(webhookId, 'delivered', isDelivered);
    expect([await store.deliveries(webhookId), store.receiver.received]).toEqual([[expect.anything()], [expect.anything()]]);
  });
});
