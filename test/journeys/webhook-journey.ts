import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../eventually.js';
import { openShop, type Order, type Payment, type Pet, type Receipt, type Shop } from '../http/shop.js';
import { openReceiver, type ReceivedRequest, type Receiver } from '../servers/receiver.js';
import { sharedPython } from '../servers/services/python.js';
import { isMissing } from '../servers/services/shared.js';
import type { TestPetstore } from '../servers/test-petstore.js';
import { verifyInPython } from './python-verifier.js';

type Body = { readonly eventId: string; readonly eventType: string; readonly timestamp: string; readonly data: Record<string, unknown> };
type Callback = { readonly requestId: string; readonly orderId: string; readonly status: string; readonly result: object };
const HOUR = 3_600_000;

const bodyOf = ({ body }: ReceivedRequest): Body => JSON.parse(body) as Body;
const headersOf = ({ headers }: ReceivedRequest): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/**
 * Defines tests of the webhooks and callbacks of an order and its payment, on the service that `open` returns. Third-party
 * libraries verify the signatures.
 */
export const webhookJourney = (name: string, open: () => Promise<TestPetstore>): void => {
  /**
   * Proves contract 17.4, contract 17.5, contract 17.7, contract 19.4, contract 19.5 and contract 20.2.
   * Proves rows of contract 42.2, 42.9, 42.17 and 42.21.
   */
  describe(`the receiver of ${name}`, () => {
    let service: TestPetstore;
    let shop: Shop;
    let receiver: Receiver;
    let secret: string;
    let sold: { readonly pet: Pet; readonly order: Order };

    beforeAll(async () => {
      service = await open();
      [shop, receiver] = await Promise.all([openShop(service), openReceiver()]);
      const events = ['order.statusChanged', 'payment.succeeded', 'pet.adopted'];
      const body = { url: `${receiver.url}/webhooks`, events };
      const token = await service.token('write:webhooks');
      const { status, json } = await shop.request<{ secret: string }>('POST', '/v1/webhooks', { token, body });
      expect(status).toBe(201);
      ({ secret } = json);
      sold = await shop.sell();
      await eventually('the four events to arrive', () => receivedWebhooks().length >= 4);
    });
    afterAll(async () => {
      await receiver.close();
      await service.stop();
    });

    const receivedWebhooks = (): readonly ReceivedRequest[] => receiver.received.filter(({ path }) => path === '/webhooks');
    const bodiesOfType = (eventType: string): readonly Body[] =>
      receivedWebhooks()
        .map(bodyOf)
        .filter((body) => body.eventType === eventType);
    const waitForCallback = (path: string): Promise<ReceivedRequest> =>
      eventually(`a callback at ${path}`, () => receiver.received.find((request) => request.path === path));
    const requestCallback = async (
      path: string,
      amount: string,
    ): Promise<{ readonly callback: ReceivedRequest; readonly requestId: unknown }> => {
      const body = { amount, currency: 'USD', timestamp: new Date().toISOString(), callbackUrl: receiver.url + path };
      const { status, headers } = await shop.request('POST', `/v1/orders/${sold.order.id}`, { body });
      expect(status).toBe(201);
      return { callback: await waitForCallback(path), requestId: headers['x-callback-request-id'] };
    };

    it('gets the status changes of an order from placed to approved, with the same order as a GET returns', async () => {
      const changes = bodiesOfType('order.statusChanged').map(({ data }) => [data['previousStatus'], data['newStatus']]);
      expect(changes).toHaveLength(2);
      expect(changes).toEqual(
        expect.arrayContaining([
          [null, 'placed'],
          ['placed', 'approved'],
        ]),
      );
      const approved = bodiesOfType('order.statusChanged').find(({ data }) => data['newStatus'] === 'approved');
      expect(approved?.data['order']).toEqual((await shop.request('GET', `/v1/orders/${sold.order.id}`)).json);
    });

    it('gets the succeeded payment with its order and receipt', async () => {
      const [payment, receipt] = [
        (await shop.request<Payment>('GET', `/v1/orders/${sold.order.id}/payment`)).json,
        (await shop.request<Receipt>('GET', `/v1/orders/${sold.order.id}/receipt`)).json,
      ];
      const { receiptId, generatedAt } = receipt;
      expect(bodiesOfType('payment.succeeded')).toEqual([
        expect.objectContaining({
          data: {
            payment: expect.objectContaining({ id: payment.id, amount: '250.00', status: 'succeeded' }),
            order: (await shop.request('GET', `/v1/orders/${sold.order.id}`)).json,
            receipt: { receiptId, generatedAt, receiptUrl: expect.stringMatching(`/v1/orders/${sold.order.id}/receipt$`) },
          },
        }),
      ]);
    });

    it('gets the adopted pet', () =>
      expect(bodiesOfType('pet.adopted').map(({ data }) => data)).toEqual([
        { pet: expect.objectContaining({ id: sold.pet.id, status: 'ADOPTED' }), adopter: { orderId: sold.order.id } },
      ]));

    it('can verify every webhook with its secret, and detects every change', () => {
      const webhook = new Webhook(secret);
      for (const request of receivedWebhooks()) {
        const headers = headersOf(request);
        expect(webhook.verify(request.body, headers)).toEqual(bodyOf(request));
        expect(headers['webhook-id']).toBe(bodyOf(request).eventId);
        for (const [body, changed] of forgeriesOf(request.body, headers)) expect(() => webhook.verify(body, changed)).toThrow();
        expect(() => new Webhook(WRONG_SECRET).verify(request.body, headers)).toThrow();
        const then = new Date(Date.now() - HOUR);
        const old = { 'webhook-timestamp': String(Math.floor(then.getTime() / 1000)) };
        const signed = { ...headers, ...old, 'webhook-signature': webhook.sign(headers['webhook-id'] ?? '', then, request.body) };
        expect(() => webhook.verify(request.body, signed)).toThrow(/too old/);
      }
    });

    it('gets a callback with COMPLETED for the amount that is due, and with FAILED for another amount', async () => {
      const completed = await requestCallback('/completed', '250.00');
      const failed = await requestCallback('/failed', '1.00');
      expect(JSON.parse(completed.callback.body)).toEqual({
        requestId: completed.requestId,
        orderId: sold.order.id,
        status: 'COMPLETED',
        result: { orderStatus: 'approved', amountDue: '250.00', currency: 'USD' },
        timestamp: expect.any(String),
      });
      expect(JSON.parse(failed.callback.body) as Callback).toMatchObject({
        requestId: failed.requestId,
        status: 'FAILED',
        result: { reason: 'the amount differs from the amount due' },
      });
    });

    it('gets the shipment', async () => {
      const { status } = await shop.requestAsStaff('POST', `/v1/orders/${sold.order.id}/shipment`);
      expect(status).toBe(200);
      const shipped = await eventually('the shipment to arrive', () =>
        bodiesOfType('order.statusChanged').find(({ data }) => data['newStatus'] === 'shipped'),
      );
      expect(shipped.data).toMatchObject({ previousStatus: 'approved', order: { id: sold.order.id, status: 'shipped' } });
    });

    it('can verify every webhook and callback in Python, callbacks with the published key', async () => {
      const python = await sharedPython();
      if (isMissing(python)) throw new Error(python.missing);
      const { publicKey } = (await shop.request<{ publicKey: string }>('GET', '/v1/webhooks/public-key')).json;
      const callbacks = [await waitForCallback('/completed'), await waitForCallback('/failed')].map((request) => ({ request, publicKey }));
      const webhooks = receivedWebhooks().map((request) => ({ request, secret }));
      const good = [...webhooks, ...callbacks].map(({ request, ...by }) => ({ headers: headersOf(request), body: request.body, ...by }));
      const bad = good.flatMap(({ headers, body, ...by }) =>
        forgeriesOf(body, headers)
          // For callbacks, leaves out the forgery with an old time: the Python package cryptography checks no times.
          .filter(([, { ['webhook-timestamp']: at }]) => 'secret' in by || at === headers['webhook-timestamp'])
          .map(([changedBody, changed]) => ({ headers: changed, body: changedBody, ...by })),
      );
      const wrongSecret = webhooks.map(({ request }) => ({ headers: headersOf(request), body: request.body, secret: WRONG_SECRET }));
      expect(await verifyInPython(python.python, good)).toEqual(good.map(() => 'ok'));
      expect(new Set(await verifyInPython(python.python, [...bad, ...wrongSecret]))).not.toContain('ok');
    });
  });
};

const WRONG_SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`;

/** Returns copies of a request with a changed body, time or id. */
const forgeriesOf = (body: string, headers: Readonly<Record<string, string>>): readonly (readonly [string, Record<string, string>])[] => {
  const hourAgo = String(Number(headers['webhook-timestamp']) - HOUR / 1000);
  return [
    [body.replace('"', "'"), { ...headers }],
    [`${body} `, { ...headers }],
    [body, { ...headers, 'webhook-timestamp': hourAgo }],
    [body, { ...headers, 'webhook-id': '00000000-0000-5000-8000-000000000000' }],
  ];
};
