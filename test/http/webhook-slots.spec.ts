import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEmbeddedStore, type EmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { WEBHOOKS } from '../../libs/application/aggregates.js';
import { createWebhook, deleteWebhook, CreateWebhook, DeleteWebhook } from '../../libs/application/webhooks/webhook.commands.js';
import { WebhookSlots } from '../../libs/application/webhooks/webhook-slots.js';
import type { WebhookId } from '../../libs/domain/ids.js';
import { isRejection } from '../../libs/eventsourcing/decider.js';
import type { EventStore } from '../../libs/eventsourcing/ports/event-store.port.js';
import { Aggregates } from '../../libs/eventsourcing/aggregates.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';

const clock = manualClock();
let store: EmbeddedStore;
beforeEach(async () => {
  store = await openEmbeddedStore({ directory: ':memory:', log: createLog('silent'), clock });
});
afterEach(() => store.close());

const TERMS = { url: 'https://shop.example.com/hooks', events: ['pet.adopted'], ordered: false } as const;
const requestContext = (tenant: string, idempotencyKey?: string) => ({
  tenant,
  actor: 'keeper',
  requestId: randomUUID(),
  ...(idempotencyKey !== undefined && { idempotencyKey }),
});

/** Returns the operations of one api process. All apis use the same store. A test can pass a log whose appends fail. */
const openApi = (events: EventStore = store.store) => {
  const aggregates = new Aggregates(events, store.codec, 'many processes');
  const ports = { ...store, aggregates, store: events, clock };
  const slots = new WebhookSlots(ports);
  return {
    aggregates,
    register: (tenant: string, key?: string) => createWebhook({ ...ports, slots }, new CreateWebhook(TERMS, requestContext(tenant, key))),
    remove: (tenant: string, id: string) => deleteWebhook({ ...ports, slots }, new DeleteWebhook(id, requestContext(tenant))),
  };
};

/** Returns a log that rejects appends to streams with this prefix, as if the process were killed before the append. */
const failingAppendsTo = (prefix: string): EventStore => ({
  append: (stream, ...rest) => (stream.startsWith(prefix) ? Promise.reject(new Error('killed')) : store.store.append(stream, ...rest)),
  readStream: (...which) => store.store.readStream(...which),
  readAll: (...which) => store.store.readAll(...which),
  subscribe: (...which) => store.store.subscribe(...which),
});

const countOf = async (tenant: string): Promise<number> => (await store.documents.sum(WEBHOOKS.projection.collection, { tenant }))[''] ?? 0;
type Api = ReturnType<typeof openApi>;
const registerAll = (count: number, apis: readonly Api[], tenant: string) =>
  Promise.all(Array.from({ length: count }, (_, nth) => (apis[nth % apis.length] ?? openApi()).register(tenant)));
const rejectionsOf = (outcomes: readonly object[]): readonly string[] => outcomes.filter(isRejection).map((outcome) => outcome.rejected);

/** Proves contract 18.4. */
describe('the endpoint slots of a tenant', () => {
  it('permit 50 of 500 registrations on two apis, separately for each tenant', async () => {
    const [tenant, other, apis] = [randomUUID(), randomUUID(), [openApi(), openApi()]];
    const [outcomes] = await Promise.all([registerAll(500, apis, tenant), registerAll(20, apis, other)]);
    expect(rejectionsOf(outcomes)).toEqual(Array(450).fill('too_many_webhooks'));
    expect([await countOf(tenant), await countOf(other)]).toEqual([50, 20]);
  });

  it('can be claimed again after an endpoint is removed', async () => {
    const [tenant, api] = [randomUUID(), openApi()];
    const [first] = await registerAll(50, [api], tenant);
    if (!first || isRejection(first)) throw new Error('nothing was registered');
    expect(await api.remove(tenant, first.id)).toBeNull();
    expect(rejectionsOf(await registerAll(10, [api, openApi()], tenant))).toHaveLength(9);
  });

  it('are claimed once by 50 concurrent registrations with one Idempotency-Key', async () => {
    const [tenant, apis] = [randomUUID(), [openApi(), openApi()]];
    const outcomes = await Promise.all(Array.from({ length: 50 }, (_, nth) => apis[nth % 2]?.register(tenant, 'once')));
    expect(new Set(outcomes.map((outcome) => outcome && 'id' in outcome && outcome.id)).size).toBe(1);
    expect(rejectionsOf(await registerAll(50, apis, tenant))).toHaveLength(1);
  });

  it('count endpoints that were registered before slots were recorded', async () => {
    const [tenant, api] = [randomUUID(), openApi()];
    const context = { tenant, actor: 'keeper', correlationId: 'request', causationId: 'request' };
    for (let nth = 0; nth < 48; nth++) {
      const webhookId = randomUUID() as WebhookId;
      await api.aggregates.handle(WEBHOOKS, webhookId, { type: 'CreateWebhook', data: { webhookId, ...TERMS } }, context);
    }
    expect(rejectionsOf(await registerAll(10, [api, openApi()], tenant))).toHaveLength(8);
    expect(await countOf(tenant)).toBe(50);
  });
});

/** Proves contract 9.5 and contract 18.4. */
describe('a process that is killed between two appends', () => {
  it('of a registration loses no slot: a repeat with the same key completes the registration', async () => {
    const tenant = randomUUID();
    await expect(openApi(failingAppendsTo('webhook-')).register(tenant, 'once')).rejects.toThrow('killed');
    expect(await countOf(tenant)).toBe(0);
    expect(await openApi().register(tenant, 'once')).toMatchObject({ replayed: false });
    expect(rejectionsOf(await registerAll(60, [openApi()], tenant))).toHaveLength(11);
    expect(await countOf(tenant)).toBe(50);
  });

  it('of a registration loses no slot: without a repeat, the endpoint is registered when all slots are claimed', async () => {
    const tenant = randomUUID();
    const failing = openApi(failingAppendsTo('webhook-'));
    for (let nth = 0; nth < 3; nth++) await expect(failing.register(tenant)).rejects.toThrow('killed');
    const api = openApi();
    expect(rejectionsOf(await registerAll(50, [api], tenant))).toHaveLength(3);
    expect(await countOf(tenant)).toBe(47);
    clock.advance(10_000);
    expect(await api.register(tenant)).toEqual({ rejected: 'too_many_webhooks' });
    expect(await countOf(tenant)).toBe(50);
  });

  it('of a removal loses no slot: the slot is freed when all are claimed', async () => {
    const [tenant, api] = [randomUUID(), openApi()];
    const [first] = await registerAll(50, [api], tenant);
    if (!first || isRejection(first)) throw new Error('nothing was registered');
    await expect(openApi(failingAppendsTo('webhookslots-')).remove(tenant, first.id)).rejects.toThrow('killed');
    clock.advance(10_000);
    expect(rejectionsOf(await registerAll(10, [api, openApi()], tenant))).toHaveLength(9);
    expect(await countOf(tenant)).toBe(50);
  });
});
