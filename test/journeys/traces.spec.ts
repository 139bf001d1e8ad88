import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { CARDS, card, PRICED_PET } from '../http/shop.js';
import { openCollector, pathsOf, type CollectedSpan, type Collector } from '../servers/collector.js';
import { openReceiver, type Receiver } from '../servers/receiver.js';
import { openInProcessStore, type InProcessPetstore } from './in-process-petstore.js';

/** The trace that the caller sends in the header `traceparent`. */
const OUTSIDER = { traceId: '11112222333344445555666677778888', spanId: 'aaaabbbbccccdddd' };
const TRACEPARENT = `00-${OUTSIDER.traceId}-${OUTSIDER.spanId}-01`;

let collector: Collector;
let receiver: Receiver;
let open: InProcessPetstore;

beforeAll(async () => {
  [collector, receiver] = await Promise.all([openCollector(), openReceiver()]);
  open = await openInProcessStore(':memory:', {}, { ...collector.settings, LOG_LEVEL: 'silent' });
  const body = { url: `${receiver.url}/hooks/9f2c`, events: ['order.statusChanged', 'payment.succeeded'] };
  expect((await open.call('POST', '/v1/webhooks', { body })).status).toBe(201);
});
afterAll(async () => {
  await open.stop();
  await Promise.all([collector.receiver.close(), receiver.close()]);
});

const post = async (path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<string> => {
  const { status, json } = await open.call('POST', path, { body, headers });
  expect({ path, status }).toEqual({ path, status: 201 });
  return String(json['id']);
};

/** Waits until a trace has a path that matches, and returns the paths to all of its spans. */
const pathsWith = async (request: string, path: RegExp): Promise<readonly string[]> => {
  const { traceId } = await collector.waitFor(request);
  const paths = () => pathsOf(collector.spans(), traceId);
  await eventually(`the path ${String(path)}`, () => paths().some((each) => path.test(each)));
  return paths();
};

/** The path to CreateOrder. The request or the process that consumes PetReserved places the order, whichever is first. */
const PLACED = '(?:ReservePet > consume PetReserved > )?CreateOrder';
/** The path to CreatePayment. The request or the process that consumes OrderPaymentStarted runs it, whichever is first. */
const REQUESTED = 'StartOrderPayment > (?:consume OrderPaymentStarted > )?CreatePayment';
const SUCCEEDED = `${REQUESTED} > consume PaymentRequested > call gateway > SettlePayment > consume PaymentSucceeded`;

/** Returns the metadata of all events of a stream. */
const metadataOf = async (stream: string): Promise<readonly Readonly<Record<string, unknown>>[]> =>
  (await open.store.store.readStream(stream)).map(({ metadata }) => JSON.parse(metadata) as Record<string, unknown>);

/** Proves contract 25.8. */
describe('the trace of an order', () => {
  let orderId: string;

  it('has the request, its commands and appends, the consumers and the webhook, each below its cause', async () => {
    const petId = await post('/v1/pets', PRICED_PET);
    orderId = await post('/v1/orders', { petId }, { traceparent: TRACEPARENT, tracestate: 'vendor=1', baggage: 'user=ada' });
    const delivered = new RegExp(`^POST /v1/orders > ${PLACED} > consume OrderPlaced > deliver order.statusChanged$`);
    const paths = await pathsWith('POST /v1/orders', delivered);
    expect(paths.filter((path) => !/^POST \/v1\/orders( > |$)/.test(path))).toEqual([]);
    expect(paths).toEqual(
      expect.arrayContaining([
        'POST /v1/orders',
        'POST /v1/orders > CreateOrder',
        'POST /v1/orders > ReservePet',
        'POST /v1/orders > ReservePet > append pet',
        'POST /v1/orders > ReservePet > consume PetReserved > CreateOrder',
      ]),
    );
    const appended = new RegExp(`^POST /v1/orders > ${PLACED} > append order$`);
    expect(paths.filter((path) => appended.test(path)).length).toBeGreaterThan(0);
  });

  it('has one trace id of its own, and only a link to the trace of the caller', async () => {
    const request = await collector.waitFor('POST /v1/orders');
    expect(request).toMatchObject({ kind: 2, links: [OUTSIDER] });
    expect(request.parentSpanId ?? '').toBe('');
    const linked = collector.spans().filter(({ links }) => links.length > 0);
    expect(linked).toEqual([request]);
    expect(collector.spans().filter(({ traceId }) => traceId === OUTSIDER.traceId)).toEqual([]);
  });

  it('is named in the metadata of its events, which contain no trace or baggage of the caller', async () => {
    const { traceId } = await collector.waitFor('POST /v1/orders');
    const [placed] = await metadataOf(`order-${orderId}`);
    const commands = collector.spans().filter((span) => span.traceId === traceId && span.name === 'CreateOrder');
    expect(commands.map(({ spanId }) => `00-${traceId}-${spanId}-01`)).toContain(placed?.['traceparent']);
    const all = JSON.stringify(await open.store.store.readAll(0, 1_000));
    for (const text of [OUTSIDER.traceId, OUTSIDER.spanId, 'vendor=1', 'baggage', 'user=ada']) expect(all).not.toContain(text);
  });

  it('continues from the payment through the gateway to the adoption and the webhooks', async () => {
    await post(`/v1/orders/${orderId}/payment`, { amount: '250.00', currency: 'USD', source: card() });
    const payment = 'POST /v1/orders/{id}/payment';
    const path = (...steps: readonly string[]) => new RegExp(`^${[payment, SUCCEEDED, ...steps].join(' > ').replace(/[{}]/g, '\\$&')}$`);
    for (const event of ['payment.succeeded', 'order.statusChanged'])
      await pathsWith(payment, path('ApproveOrder', 'consume OrderApproved', `deliver ${event}`));
    const paths = await pathsWith(payment, path('ApproveOrder', 'consume OrderApproved', 'AdoptPet', 'append pet'));
    expect(paths.filter((each) => !each.startsWith(payment))).toEqual([]);
  });

  it('has a status and the time of each step, and the receivers of webhooks get no traceparent', async () => {
    const [delivery] = collector.spans().filter(({ name }) => name === 'deliver order.statusChanged');
    expect(delivery?.attributes).toContainEqual({ key: 'petstore.outcome', value: { stringValue: 'delivered' } });
    expect(delivery?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 204 } });
    const taken = ({ startTimeUnixNano, endTimeUnixNano }: CollectedSpan): bigint => BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano);
    expect(collector.spans().filter((span) => taken(span) < 0n || taken(span) > 30_000_000_000n)).toEqual([]);
    expect(receiver.received.length).toBeGreaterThan(0);
    expect(receiver.received.filter(({ headers }) => 'traceparent' in headers)).toEqual([]);
  });

  it('contains no id of a resource, account or tenant, no address, token or part of a body', async () => {
    const sent = collector.receiver.received.map(({ body }) => body).join('\n');
    const webhookId = (await open.store.store.readAll(0, 1_000)).map(({ stream }) => stream.replace(/^[a-z]+-/, ''));
    expect(webhookId.length).toBeGreaterThan(5);
    for (const text of [...webhookId, receiver.url, '/hooks/', 'staff', 'shared', CARDS.good, 'Ada', 'Biscuit', 'Bearer'])
      expect([text, sent.includes(text)]).toEqual([text, false]);
  });
});
