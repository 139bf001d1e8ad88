import { beforeEach, describe, expect, it } from '@jest/globals';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { recorded } from '../../eventsourcing/testing/recorded.js';
import type { Delivery } from '../delivery.js';
import { HOOK, openDeliveries, pendingDelivery, WEBHOOK } from '../deliveries.fixtures.js';
import { park } from '../dispatch/outcomes.js';
import { redeliver, type RedeliverContext } from './redeliver.js';
import { rangeWork, redeliveryWork, type Redelivery } from './redelivery.js';
import { releaseWork } from './release.js';

const ENDPOINT = { id: WEBHOOK, tenant: 'shared' };
const SEQUENCE = `${WEBHOOK}/pet-1`;
const waiting = (id: string, revision: number): Delivery => pendingDelivery(id, { sequence: SEQUENCE, status: 'waiting', revision });

describe('a delivery that is deleted after its redelivery was requested', () => {
  it('is still sent once, with its former body', async () => {
    const clock = manualClock();
    const scene = openDeliveries(clock);
    await scene.putEndpoint();
    scene.log.push(...recorded([{ type: 'WebhookRegistered', data: { url: HOOK, events: [], ordered: false } }], `webhook-${WEBHOOK}`));
    const stored: Delivery = { ...pendingDelivery('d', { status: 'delivered', nextAttemptAt: null, round: 1 }), body: '{"pet":1}' };
    await scene.deliveries.putNew(stored);
    await scene.deliveries.delete([{ delivery: stored, revision: 0 }], clock.now());
    const work = redeliveryWork('r1', 'a lane', { kind: 'one', delivery: 'd', redeliveryId: 'r1', stored });
    const context = { ...scene, stopping: new AbortController().signal } as unknown as RedeliverContext;
    for (let time = 0; time < 2; time++) await redeliver(context, { ...work, attempt: 1, retries: 0 });
    expect(await scene.deliveries.read('d')).toMatchObject({ status: 'pending', round: 2, body: '{"pet":1}' });
    expect(new Set(scene.enqueued)).toEqual(new Set(['d:2']));
  });
});

describe('an endpoint that is no longer ordered', () => {
  const clock = manualClock();
  let scene: ReturnType<typeof openDeliveries>;
  const perform = (work: ReturnType<typeof redeliveryWork>): Promise<void> =>
    redeliver({ ...scene, stopping: new AbortController().signal } as unknown as RedeliverContext, { ...work, attempt: 1, retries: 0 });
  const statuses = async (): Promise<readonly (string | undefined)[]> =>
    Promise.all(['first', 'second', 'third'].map(async (id) => (await scene.deliveries.read(id))?.status));
  const isOrdered = async (ordered: boolean): Promise<void> => {
    await scene.putEndpoint({ ordered });
    const terms = { url: HOOK, events: ['pet.statusChanged'], ordered };
    scene.log.splice(0, Infinity, ...recorded([{ type: 'WebhookRegistered', data: terms }], `webhook-${WEBHOOK}`));
  };

  beforeEach(async () => {
    scene = openDeliveries(clock);
    const first = park({ ...waiting('first', 0), status: 'pending' }, 'exhausted');
    for (const delivery of [first, waiting('second', 1), waiting('third', 2)]) await scene.deliveries.putNew(delivery);
    await isOrdered(false);
  });

  it('gets the next waiting delivery once the blocking one is redelivered', async () => {
    await perform(redeliveryWork('r1', 'a lane', { kind: 'one', delivery: 'first', redeliveryId: 'r1' }));
    expect([await statuses(), scene.enqueued]).toEqual([
      ['pending', 'pending', 'waiting'],
      ['first:1', 'second:0'],
    ]);
  });

  it('gets the next waiting delivery even if the service crashed during the redelivery', async () => {
    const work = redeliveryWork('r1', 'a lane', { kind: 'one', delivery: 'first', redeliveryId: 'r1' });
    await perform(work);
    await scene.deliveries.change('second', () => waiting('second', 1));
    await perform(work);
    expect(await statuses()).toEqual(['pending', 'pending', 'waiting']);
  });

  it('gets all waiting deliveries at once when they are released, and they leave their sequence', async () => {
    await perform(releaseWork(ENDPOINT, '1.1'));
    expect([await statuses(), scene.enqueued.toSorted()]).toEqual([
      ['parked', 'pending', 'pending'],
      ['second:0', 'third:0'],
    ]);
    expect([(await scene.deliveries.read('second'))?.sequence, (await scene.deliveries.read('third'))?.sequence]).toEqual([null, null]);
  });

  it('does not block the event loop while its deliveries are released', async () => {
    for (let revision = 3; revision < 50; revision++) await scene.deliveries.putNew(waiting(`more ${revision}`, revision));
    let [turns, working] = [0, true];
    const others = (async () => {
      for (; working; turns++) await yieldToEventLoop();
    })();
    await perform(releaseWork(ENDPOINT, '1.1'));
    working = false;
    await others;
    expect([scene.enqueued.length, turns >= 49]).toEqual([49, true]);
  });

  it('gets no waiting delivery when it is ordered again before they are released', async () => {
    await isOrdered(true);
    await perform(releaseWork(ENDPOINT, '1.1'));
    expect([await statuses(), scene.enqueued]).toEqual([['parked', 'waiting', 'waiting'], []]);
  });
});

describe('a redelivery of a time range', () => {
  /** Proves contract 43.8. */
  it('leaves out the events that operators have skipped for announcements', async () => {
    const scene = openDeliveries(manualClock());
    await scene.putEndpoint();
    const details = { name: 'Rex', species: 'DOG', ageMonths: 3 };
    const eventOf = (stream: string, skippedBy?: readonly string[]) =>
      recorded([{ type: 'PetListed', data: { details, status: 'AVAILABLE' }, meta: { ...(skippedBy && { skippedBy }) } }], stream);
    const events = [...eventOf('pet-1', ['announcements']), ...eventOf('pet-2', ['pets'])].map((event, index) => ({
      ...event,
      id: `0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e6${index}`,
      stream: event.meta.stream,
      revision: 0,
      position: index + 1,
    }));
    scene.log.push(...events);
    const time = events[0]?.meta.time ?? '';
    const made: Redelivery = {
      ...{ id: 'r1', tenant: 'shared', webhookId: WEBHOOK, since: time, until: time, createdAt: time, status: 'running' },
      ...{ deliveries: 0, position: 0 },
    };
    const counts: number[] = [];
    const context = {
      ...scene,
      store: { ...scene.store, readAll: async (after: number) => events.slice(after) },
      contracts: [{ eventType: 'pet.statusChanged', from: ['PetListed'], needs: [], data: () => ({ isTest: true }) }],
      publicUrl: () => 'https://pets.example.com',
      redeliveries: {
        putNew: async (redelivery: Redelivery) => ({ redelivery }),
        replace: async (_: unknown, redelivery: Redelivery) => (counts.push(redelivery.deliveries), { redelivery }),
      },
      stopping: new AbortController().signal,
    } as unknown as RedeliverContext;
    await redeliver(context, { ...rangeWork(made), attempt: 1, retries: 0 });
    expect(counts.at(-1)).toBe(1);
  });
});
