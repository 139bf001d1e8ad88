import { describe, expect, it } from '@jest/globals';
import type { DeliveryResource } from '../../../libs/application/deliveries/delivery-views.js';
import { DeliveryLines } from './delivery-lines.js';
import type { ServiceClient } from './service-client.js';

const WEBHOOK = 'the-endpoint';
const LIST = `/v1/webhooks/${WEBHOOK}/deliveries`;

const at = (second: number): string => new Date(Date.UTC(2026, 0, 2) + second * 1000).toISOString();

const delivery = (nth: number, more: Partial<DeliveryResource> = {}): DeliveryResource => ({
  id: `delivery-${nth}`,
  webhookId: WEBHOOK,
  eventId: `event-${nth}`,
  eventType: 'pet.adopted',
  status: 'pending',
  createdAt: at(nth),
  nextAttemptAt: at(nth),
  request: { headers: {}, body: {} },
  attempts: [],
  ...more,
});
const attempt = (second: number, status: number) => ({ at: at(second), url: 'http://127.0.0.1', durationMilliseconds: 5, status });
const delivered = (nth: number): DeliveryResource =>
  delivery(nth, { status: 'delivered', nextAttemptAt: null, attempts: [attempt(nth, 204)] });

/** Creates the client of a service with one endpoint. Records the requested paths. */
const serviceWith = (deliveries: DeliveryResource[]) => {
  const requests: string[] = [];
  const listing = (page: number, limit: number) => ({
    data: deliveries.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt)).slice((page - 1) * limit, page * limit),
    pagination: { totalPages: Math.max(1, Math.ceil(deliveries.length / limit)), totalItems: deliveries.length },
  });
  const request = async (_: string, path: string): Promise<{ status: number; json: unknown }> => {
    requests.push(path);
    const { pathname, searchParams } = new URL(path, 'http://127.0.0.1');
    if (pathname === LIST) return { status: 200, json: listing(Number(searchParams.get('page')), Number(searchParams.get('limit'))) };
    return { status: 200, json: deliveries.find(({ id }) => pathname === `${LIST}/${id}`) };
  };
  return { requests, service: { url: 'http://127.0.0.1', request: request as ServiceClient['request'] } };
};

describe('DeliveryLines', () => {
  it('names the resource that an event is about, and its status', async () => {
    const body = { data: { order: { id: 'order-1', status: 'approved' }, pet: { id: 'pet-1' } } };
    const lines = new DeliveryLines(serviceWith([{ ...delivered(1), request: { headers: {}, body } }]).service, WEBHOOK);
    expect(await lines.readNewLines()).toEqual([`${at(1)}  pet.adopted  event-1  order order-1 approved  204  5 ms`]);
  });

  it('prints each attempt once, in the order of the attempts', async () => {
    const deliveries = [delivered(2), delivered(1)];
    const lines = new DeliveryLines(serviceWith(deliveries).service, WEBHOOK);
    expect(await lines.readNewLines()).toEqual([`${at(1)}  pet.adopted  event-1  204  5 ms`, `${at(2)}  pet.adopted  event-2  204  5 ms`]);
    expect(await lines.readNewLines()).toEqual([]);
    deliveries.push(delivered(3));
    expect(await lines.readNewLines()).toEqual([`${at(3)}  pet.adopted  event-3  204  5 ms`]);
  });

  it('adds the time of the next attempt to a failed attempt, and the reason to the last attempt of a parked delivery', async () => {
    const deliveries = [delivery(1)];
    const lines = new DeliveryLines(serviceWith(deliveries).service, WEBHOOK);
    expect(await lines.readNewLines()).toEqual([]);
    deliveries[0] = delivery(1, { attempts: [attempt(2, 500)], nextAttemptAt: at(7) });
    expect(await lines.readNewLines()).toEqual([`${at(2)}  pet.adopted  event-1  500  5 ms  next attempt ${at(7)}`]);
    const unreachable = { at: at(7), url: 'http://127.0.0.1', durationMilliseconds: 1, fault: 'unreachable' } as const;
    const attempts = [attempt(2, 500), unreachable];
    deliveries[0] = delivery(1, { status: 'parked', parkedBecause: 'exhausted', nextAttemptAt: null, attempts });
    expect(await lines.readNewLines()).toEqual([`${at(7)}  pet.adopted  event-1  unreachable  1 ms  parked: exhausted`]);
    expect(await lines.readNewLines()).toEqual([]);
  });

  it('returns one line for a delivery that was parked before its first attempt', async () => {
    const parked = delivery(1, { status: 'parked', parkedBecause: 'disabled', nextAttemptAt: null });
    const lines = new DeliveryLines(serviceWith([parked]).service, WEBHOOK);
    expect(await lines.readNewLines()).toEqual([`${at(1)}  pet.adopted  event-1  parked: disabled`]);
    expect(await lines.readNewLines()).toEqual([]);
  });

  it('reads several pages, and stops after a page without new deliveries', async () => {
    const deliveries = Array.from({ length: 230 }, (_, nth) => delivered(nth));
    const { requests, service } = serviceWith(deliveries);
    const lines = new DeliveryLines(service, WEBHOOK);
    expect(await lines.readNewLines()).toHaveLength(230);
    requests.length = 0;
    deliveries.push(...Array.from({ length: 120 }, (_, nth) => delivered(230 + nth)));
    expect(await lines.readNewLines()).toHaveLength(120);
    requests.length = 0;
    expect(await lines.readNewLines()).toEqual([]);
    expect(requests).toEqual([`${LIST}?limit=100&page=1`]);
  });

  it('prints the outcome of a delivery that is no longer on the first page', async () => {
    const deliveries = [delivery(0), ...Array.from({ length: 150 }, (_, nth) => delivered(nth + 1))];
    const lines = new DeliveryLines(serviceWith(deliveries).service, WEBHOOK);
    await lines.readNewLines();
    deliveries[0] = delivery(0, { status: 'delivered', attempts: [attempt(500, 200)] });
    expect(await lines.readNewLines()).toEqual([`${at(500)}  pet.adopted  event-0  200  5 ms`]);
  });

  it('reads twenty unfinished deliveries in each call, and the next twenty in the next call', async () => {
    const unfinished = Array.from({ length: 60 }, (_, nth) => delivery(nth));
    const deliveries = [...unfinished, ...Array.from({ length: 100 }, (_, nth) => delivered(100 + nth))];
    const { requests, service } = serviceWith(deliveries);
    const lines = new DeliveryLines(service, WEBHOOK);
    await lines.readNewLines();
    const counts: number[] = [];
    for (let round = 0; round < 3; round++) {
      requests.length = 0;
      await lines.readNewLines();
      counts.push(requests.filter((path) => path.startsWith(`${LIST}/`)).length);
    }
    expect(counts).toEqual([20, 20, 20]);
    for (const [nth] of unfinished.entries()) deliveries[nth] = delivered(nth);
    const printed = [await lines.readNewLines(), await lines.readNewLines(), await lines.readNewLines()].flat();
    expect(new Set(printed).size).toBe(60);
  });
});
