import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { copyLog } from '../../libs/runtime/codec/copy-log.js';
import { copyDeliveries } from '../../libs/deliveries/copy-deliveries.js';
import { JITTER } from '../../libs/deliveries/dispatch/outcomes.js';
import { DEFAULTS } from '../../libs/settings/settings.js';
import type { DeliveryResource } from '../../libs/application/deliveries/delivery-views.js';
import { standardSigner } from '../../libs/adapters/signing/index.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { openReceiver, type ReceivedRequest } from '../servers/receiver.js';
import { openWebhookStore, type WebhookStore } from './webhook-petstore.js';

const RETRY_DELAYS = DEFAULTS.webhookRetryDelays;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const idsOf = (received: readonly ReceivedRequest[]): readonly unknown[] => received.map(({ headers }) => headers['webhook-id']);
const statusIn = ({ body }: ReceivedRequest): unknown => (JSON.parse(body) as { data: { newStatus: string } }).data.newStatus;
const isDelivered = ({ status }: DeliveryResource): boolean => status === 'delivered';
const isParked = ({ status }: DeliveryResource): boolean => status === 'parked';
const hasFailed =
  (times: number) =>
  ({ status, attempts }: DeliveryResource) =>
    attempts.length === times && status !== 'delivered';
const delayToNextAttempt = ({ nextAttemptAt, attempts }: DeliveryResource): number =>
  Date.parse(nextAttemptAt ?? '') - Date.parse(attempts.at(-1)?.at ?? '');
/** Runs the event loop several times, so that all work that is due now is done. */
const flushEventLoop = async (): Promise<void> => {
  for (let count = 0; count < 20; count++) await new Promise((resolve) => setImmediate(resolve));
};

/**
 * Proves contract 18.3, contract 18.5, contract 20.3, contract 20.4, contract 20.5, contract 20.6,
 * contract 20.7, contract 20.8, contract 20.9, contract 20.11 and contract 20.12.
 * Proves rows of contract 42.21.
 */
describe('a webhook endpoint', () => {
  let open: WebhookStore;
  beforeEach(async () => void (open = await openWebhookStore()));
  afterEach(async () => {
    await open.close();
    removeFolders();
  });

  it('that fails gets ten attempts by the schedule, never early; then the delivery is parked until its redelivery', async () => {
    const { receiver, clock } = open;
    receiver.respondWith(() => ({ status: 500, body: 'out of order' }));
    const { id } = await open.register();
    await open.listPet();
    for (const [index, delay] of RETRY_DELAYS.slice(1).entries()) {
      const failed = await open.waitForNewest(id, `attempted ${index + 1} times`, hasFailed(index + 1));
      expect(failed.status).toBe('pending');
      expect(delayToNextAttempt(failed)).toBeGreaterThanOrEqual(delay);
      // The clock advances a little during the attempt.
      expect(delayToNextAttempt(failed)).toBeLessThanOrEqual(delay * (1 + JITTER) + SECOND);
      clock.advance(Date.parse(failed.nextAttemptAt ?? '') - clock.now().getTime() - 1);
      await flushEventLoop();
      expect(receiver.received).toHaveLength(index + 1);
    }
    const parked = await open.waitForNewest(id, 'parked', isParked);
    expect(parked).toMatchObject({ parkedBecause: 'exhausted', nextAttemptAt: null, attempts: { length: RETRY_DELAYS.length } });
    expect((await open.delivery(id, parked.id)).attempts.at(-1)).toMatchObject({ status: 500, answer: 'out of order', url: receiver.url });
    expect(new Set(idsOf(receiver.received)).size).toBe(1);

    receiver.respondWith(() => ({ status: 200 }));
    await open.post(`/v1/webhooks/${id}/deliveries/${parked.id}/redelivery`);
    await open.waitForNewest(id, 'delivered', isDelivered);
    expect(new Set(receiver.received.map(({ headers, body }) => `${String(headers['webhook-id'])} ${body}`)).size).toBe(1);
  });

  it.each([
    ['seconds', () => '7200', 2 * HOUR],
    ['a date', (now: Date) => new Date(now.getTime() + 3 * HOUR).toUTCString(), 3 * HOUR],
  ])('that sends Retry-After in %s delays its next attempt', async (_, header, expected) => {
    open.receiver.respondWith(() => ({ status: 429, headers: { 'retry-after': header(open.clock.now()) } }));
    const { id } = await open.register();
    await open.listPet();
    const failed = await open.waitForNewest(id, 'attempted', hasFailed(1));
    expect(Math.abs(delayToNextAttempt(failed) - expected)).toBeLessThan(SECOND);
  });

  it('that answers with a redirect fails, and the redirect is not followed', async () => {
    open.receiver.respondWith(() => ({ status: 302, headers: { location: `${open.receiver.url}/elsewhere` } }));
    const { id } = await open.register();
    await open.listPet();
    expect(await open.waitForNewest(id, 'attempted', hasFailed(1))).toMatchObject({ status: 'pending', attempts: [{ status: 302 }] });
    expect(open.receiver.received).toHaveLength(1);
  });

  it('that answers 410 is disabled; later deliveries are parked, and redelivery sends them once it is enabled', async () => {
    const { receiver, service } = open;
    const since = open.clock.now().toISOString();
    receiver.respondWith(() => ({ status: 410 }));
    const { id, url } = await open.register();
    await open.listPet();
    expect(await open.waitForNewest(id, 'parked', isParked)).toMatchObject({ parkedBecause: 'gone', attempts: [{ status: 410 }] });
    expect(await open.waitUntil('the endpoint to be disabled', async () => onlyDisabled(await open.endpoint(id)))).toMatchObject({
      disabledReason: 'gone',
    });
    expect(service.lines.join('')).toContain('a webhook endpoint is disabled');
    await open.listPet();
    expect(await open.waitForNewest(id, 'parked as disabled', ({ parkedBecause }) => parkedBecause === 'disabled')).toMatchObject({
      attempts: [],
    });

    receiver.respondWith(() => ({ status: 204 }));
    const terms = { url, events: ['pet.statusChanged'], status: 'enabled' };
    expect((await service.call('PUT', `/v1/webhooks/${id}`, { body: terms })).status).toBe(200);
    const { id: redelivery } = await open.post<{ id: string }>(`/v1/webhooks/${id}/redelivery`, { since });
    expect(await open.waitForRedelivery(id, redelivery)).toMatchObject({ deliveries: 2 });
    await open.waitUntil('both to be delivered', async () => (await open.deliveries(id)).every(isDelivered));
    expect(new Set(idsOf(await open.waitForRequests(3))).size).toBe(2);
  });

  it('that only fails for five days is disabled, and its pending deliveries are parked', async () => {
    const { clock, receiver, service } = open;
    receiver.respondWith(() => ({ status: 503 }));
    const { id } = await open.register();
    for (const wait of [DAY, DAY, DAY, DAY, DAY - MINUTE, HOUR]) {
      await open.listPet();
      await open.waitForNewest(id, 'attempted', hasFailed(1));
      expect(await open.endpoint(id)).toMatchObject({ status: 'enabled' });
      clock.advance(wait);
    }
    await open.waitUntil('the endpoint to be disabled', async () => onlyDisabled(await open.endpoint(id)));
    expect(await open.endpoint(id)).toMatchObject({ disabledReason: 'failing' });
    expect(await open.waitForNewest(id, 'parked', isParked)).toMatchObject({ parkedBecause: 'disabled' });
    expect(service.lines.join('')).toContain('failing');
  });

  it('that fails once, and again after days without an attempt, is not disabled', async () => {
    const { clock, receiver } = open;
    const { id } = await open.register();
    receiver.respondWith(() => ({ status: 503 }));
    await open.listPet();
    await open.waitForNewest(id, 'attempted', hasFailed(1));
    clock.advance(6 * DAY);
    await open.waitForNewest(id, 'attempted again', hasFailed(2));
    expect(await open.endpoint(id)).toMatchObject({ status: 'enabled' });
  });

  it('that fails sometimes is not disabled', async () => {
    const { clock, receiver } = open;
    let status = 500;
    receiver.respondWith(() => ({ status }));
    const { id } = await open.register();
    for (let day = 0; day < 7; day++) {
      status = 500;
      await open.listPet();
      await open.waitForNewest(id, 'attempted', hasFailed(1));
      status = 200;
      clock.advance(DAY);
      await open.waitForNewest(id, 'delivered', isDelivered);
    }
    expect(await open.endpoint(id)).toMatchObject({ status: 'enabled' });
  });

  it('gets two signatures for a day after a rotation of its secret, and then one', async () => {
    const { clock } = open;
    const { id, secret: first } = await open.register();
    const { secret: second } = await open.post<{ secret: string }>(`/v1/webhooks/${id}/secret`);
    await open.listPet();
    const [both] = await open.waitForRequests(1);
    clock.advance(DAY);
    await open.listPet();
    const [, alone] = await open.waitForRequests(2);
    const signed = (secret: string, { headers, body }: ReceivedRequest): string =>
      standardSigner.sign(secret, {
        id: String(headers['webhook-id']),
        sentAt: new Date(Number(headers['webhook-timestamp']) * 1000),
        body,
      });
    const signaturesOf = (received: ReceivedRequest | undefined): readonly string[] =>
      String(received?.headers['webhook-signature']).split(' ');
    if (!both || !alone) throw new Error('no request was received');
    expect(second).not.toBe(first);
    expect(signaturesOf(both)).toEqual([signed(second, both), signed(first, both)]);
    expect(signaturesOf(alone)).toEqual([signed(second, alone)]);
  });

  it('gets three signatures after two rotations in a day, each for its time', async () => {
    const { clock } = open;
    const { id } = await open.register();
    await open.post(`/v1/webhooks/${id}/secret`);
    clock.advance(HOUR);
    await open.post(`/v1/webhooks/${id}/secret`);
    await open.listPet();
    await open.waitForRequests(1);
    clock.advance(DAY - HOUR);
    await open.listPet();
    const received = await open.waitForRequests(2);
    expect(received.map(({ headers }) => String(headers['webhook-signature']).split(' ').length)).toEqual([3, 2]);
  });

  it('gets the signatures of the newest four secrets after 31 rotations in a day', async () => {
    const { id } = await open.register();
    for (let rotation = 0; rotation < 31; rotation++) await open.post(`/v1/webhooks/${id}/secret`);
    await open.listPet();
    const [received] = await open.waitForRequests(1);
    expect(String(received?.headers['webhook-signature']).split(' ')).toHaveLength(4);
  });

  it('that never answers does not delay other endpoints', async () => {
    const slow = await openReceiver();
    slow.respondWith(() => null);
    try {
      await open.register({ url: slow.url });
      await open.register();
      for (let index = 0; index < 12; index++) await open.listPet();
      expect(new Set(idsOf(await open.waitForRequests(12))).size).toBe(12);
      await open.waitUntil('the slow endpoint to have its maximum of deliveries', () => slow.received.length === 4);
    } finally {
      await slow.close();
    }
  });

  it('that is ordered gets the events of a pet in sequence, and meanwhile the events of other pets', async () => {
    const { clock, receiver } = open;
    const answered: unknown[] = [];
    let works = false;
    const petId = await open.listPet();
    const { id } = await open.register({ ordered: true });
    receiver.respondWith((request) => {
      const { data } = JSON.parse(request.body) as { data: { pet: { id: string } } };
      if (data.pet.id === petId && !works) return { status: 500 };
      if (data.pet.id === petId) answered.push(statusIn(request));
      return { status: 200 };
    });
    for (const status of ['NOT_AVAILABLE', 'AVAILABLE', 'NOT_AVAILABLE', 'AVAILABLE']) await open.setStatus(petId, status);
    await open.waitUntil('one to be attempted and the others to wait', async () => {
      const statuses = (await open.deliveries(id)).map(({ status }) => status);
      return statuses.filter((status) => status === 'waiting').length === 3;
    });
    await open.listPet();
    await open.waitUntil('the event of another pet to arrive', async () => (await open.deliveries(id)).some(isDelivered));
    works = true;
    clock.advance(MINUTE);
    await open.waitUntil('all to be delivered', async () => (await open.deliveries(id)).every(isDelivered));
    expect(answered).toEqual(['NOT_AVAILABLE', 'AVAILABLE', 'NOT_AVAILABLE', 'AVAILABLE']);
  });

  it('that is ordered waits for a parked delivery until its redelivery', async () => {
    const { receiver, clock } = open;
    const petId = await open.listPet();
    receiver.respondWith(() => ({ status: 500 }));
    const { id } = await open.register({ ordered: true });
    await open.setStatus(petId, 'NOT_AVAILABLE');
    for (let attempt = 1; attempt < RETRY_DELAYS.length; attempt++) {
      const { nextAttemptAt } = await open.waitForNewest(id, `attempted ${attempt} times`, hasFailed(attempt));
      clock.skip(Date.parse(nextAttemptAt ?? '') - clock.now().getTime());
    }
    const parked = await open.waitForNewest(id, 'parked', isParked);
    receiver.respondWith(() => ({ status: 200 }));
    await open.setStatus(petId, 'AVAILABLE');
    await open.waitForNewest(id, 'waiting', ({ status }) => status === 'waiting');
    await open.post(`/v1/webhooks/${id}/deliveries/${parked.id}/redelivery`);
    await open.waitUntil('both to be delivered', async () => (await open.deliveries(id)).every(isDelivered));
    expect(open.receiver.received.slice(-2).map(statusIn)).toEqual(['NOT_AVAILABLE', 'AVAILABLE']);
  });

  it('that is no longer ordered gets the waiting deliveries immediately', async () => {
    const { receiver, service } = open;
    const petId = await open.listPet();
    receiver.respondWith((request) => ({ status: statusIn(request) === 'NOT_AVAILABLE' ? 500 : 200 }));
    const { id } = await open.register({ ordered: true });
    await open.setStatus(petId, 'NOT_AVAILABLE');
    await open.waitForNewest(id, 'attempted', hasFailed(1));
    await open.setStatus(petId, 'AVAILABLE');
    await open.waitForNewest(id, 'waiting', ({ status }) => status === 'waiting');
    const body = { url: receiver.url, events: ['pet.statusChanged'], ordered: false };
    expect((await service.call('PUT', `/v1/webhooks/${id}`, { body })).status).toBe(200);
    await open.waitForNewest(id, 'delivered', isDelivered);
    expect((await open.deliveries(id)).map(({ status }) => status)).toEqual(['delivered', 'pending']);
  });

  it('gets events from before its registration only by a redelivery', async () => {
    const { clock } = open;
    await open.listPet();
    clock.advance(HOUR);
    const since = clock.now().toISOString();
    const petId = await open.listPet();
    await open.setStatus(petId, 'NOT_AVAILABLE');
    const until = clock.now().toISOString();
    clock.advance(HOUR);
    const { id } = await open.register();
    await open.listPet();
    await open.waitForRequests(1);
    expect(await open.deliveries(id)).toHaveLength(1);
    const { id: redelivery } = await open.post<{ id: string }>(`/v1/webhooks/${id}/redelivery`, { since, until });
    expect(await open.waitForRedelivery(id, redelivery)).toMatchObject({ status: 'done', deliveries: 2, since, until });
    expect((await open.waitForRequests(3)).slice(1).map(statusIn).sort()).toEqual(['AVAILABLE', 'NOT_AVAILABLE']);
  });

  it('that is deleted gets no further requests', async () => {
    const { receiver, clock, service } = open;
    receiver.respondWith(() => ({ status: 500 }));
    const { id } = await open.register();
    const other = await open.register();
    await open.listPet();
    await open.waitForNewest(id, 'attempted', hasFailed(1));
    await open.waitForNewest(other.id, 'attempted', hasFailed(1));
    expect((await service.call('DELETE', `/v1/webhooks/${id}`, {})).status).toBe(204);
    clock.advance(MINUTE);
    await open.waitForNewest(other.id, 'attempted again', hasFailed(2));
    await flushEventLoop();
    expect(receiver.received).toHaveLength(3);
  });

  it('of a copied store gets only the deliveries that were not completed before the copy', async () => {
    const { clock } = open;
    const [here, there] = [newFolder(), newFolder()];
    const before = await openWebhookStore(here, clock);
    const { id } = await before.register();
    const inOrder = await before.register({ ordered: true });
    const petId = await before.listPet();
    await before.waitForNewest(id, 'delivered', isDelivered);
    await before.waitForNewest(inOrder.id, 'delivered', isDelivered);
    before.receiver.respondWith(() => ({ status: 500 }));
    await before.setStatus(petId, 'NOT_AVAILABLE');
    const { eventId } = await before.waitForNewest(id, 'attempted', hasFailed(1));
    await before.setStatus(petId, 'AVAILABLE');
    await before.waitForNewest(inOrder.id, 'waiting', ({ status }) => status === 'waiting');
    await before.close();

    const log = createLog('warn');
    const [from, to] = [
      await openEmbeddedStore({ directory: here, log, clock }),
      await openEmbeddedStore({ directory: there, log, clock }),
    ];
    await copyDeliveries(from.documents, to);
    await copyDeliveries(from.documents, to);
    await copyLog(from.store, to.store, () => undefined);
    await Promise.all([from.close(), to.close()]);

    const after = await openWebhookStore(there, clock);
    try {
      for (const webhook of [id, inOrder.id]) {
        const terms = { url: `${after.receiver.url}/${webhook}`, events: ['pet.statusChanged'], ordered: webhook === inOrder.id };
        expect((await after.service.call('PUT', `/v1/webhooks/${webhook}`, { body: terms })).status).toBe(200);
      }
      // Attempts before the change of the URL may have failed at the old address, and their retries need a later time. A claim
      // may expire when the clock advances. If it does, its delivery is sent again with the same id.
      await after.waitUntil('everything to be delivered', async () => {
        clock.advance(MINUTE);
        return [...(await after.deliveries(id)), ...(await after.deliveries(inOrder.id))].every(isDelivered);
      });
      const receivedAt = (webhook: string): readonly ReceivedRequest[] => {
        const all = after.receiver.received.filter(({ path }) => path === `/${webhook}`);
        return all.filter(({ headers }, index) => idsOf(all).indexOf(headers['webhook-id']) === index);
      };
      expect(receivedAt(id)).toHaveLength(2);
      expect(idsOf(receivedAt(id))).toContain(eventId);
      expect(receivedAt(inOrder.id).map(statusIn)).toEqual(['NOT_AVAILABLE', 'AVAILABLE']);
      expect(await after.deliveries(id)).toHaveLength(3);
    } finally {
      await after.close();
    }
  });

  it('gets its pending deliveries after a restart of the service', async () => {
    const dataDir = newFolder();
    const { clock } = open;
    const before = await openWebhookStore(dataDir, clock);
    before.receiver.respondWith(() => ({ status: 500 }));
    const { id, url } = await before.register();
    await before.listPet();
    const { eventId } = await before.waitForNewest(id, 'attempted', hasFailed(1));
    await before.close();
    const after = await openWebhookStore(dataDir, clock);
    try {
      const terms = { url: after.receiver.url, events: ['pet.statusChanged'] };
      expect(url).not.toBe(terms.url);
      expect((await after.service.call('PUT', `/v1/webhooks/${id}`, { body: terms })).status).toBe(200);
      clock.advance(MINUTE);
      expect(idsOf(await after.waitForRequests(1))).toEqual([eventId]);
    } finally {
      await after.close();
    }
  });
});

const onlyDisabled = <T extends { readonly status: string }>(endpoint: T): T | null => (endpoint.status === 'disabled' ? endpoint : null);
