import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GetInventory } from '../../../libs/application/inventory/inventory.queries.js';
import { CreateOrder, DeleteOrder, DeliverOrder, ShipOrder } from '../../../libs/application/orders/order.commands.js';
import { GetOrder, ListOrders } from '../../../libs/application/orders/order.queries.js';
import { CreateOrderPayment } from '../../../libs/application/payments/payment.commands.js';
import { GetOrderPayment, GetReceipt } from '../../../libs/application/payments/payment.queries.js';
import { as, faultsIn, ORDER_ID, PET_ID, runningApi, type RunningApi } from '../testing/running-api.fixtures.js';

const ORDER = `/v1/orders/${ORDER_ID}`;
const VIEW = { id: ORDER_ID, json: `{"id":"${ORDER_ID}"}`, etag: '0.1', fields: { userId: 'ann' } };
const CARD = { object: 'card', number: '4242424242424242', cvc: '123', expMonth: 12, expYear: 2031, name: 'Ann Example' };
const PAYMENT = { amount: '250.00', currency: 'USD', source: CARD };

const setAnswers = (api: RunningApi): void => {
  api.application.setHandler(CreateOrder, () => ({ ...VIEW, replayed: false }));
  api.application.setHandler(GetOrder, () => VIEW);
  api.application.setHandler(DeleteOrder, () => null);
  api.application.setHandler(ShipOrder, () => VIEW);
  api.application.setHandler(DeliverOrder, () => VIEW);
  api.application.setHandler(ListOrders, () => ({ items: [], totalItems: 0 }));
  api.application.setHandler(CreateOrderPayment, () => ({ ...VIEW, replayed: false }));
  api.application.setHandler(GetOrderPayment, () => VIEW);
  api.application.setHandler(GetReceipt, () => VIEW);
  api.application.setHandler(GetInventory, () => ({ AVAILABLE: 3, placed: 2 }));
};

describe('the API for orders under the documented access policy', () => {
  let api: RunningApi;
  beforeAll(async () => {
    api = await runningApi({ RATE_LIMIT: 'off' });
  });
  afterAll(() => api.app.close());
  beforeEach(() => setAnswers(api));

  describe('POST /v1/orders', () => {
    const post = (payload: object, headers: Readonly<Record<string, string>> = {}) =>
      api.inject({ method: 'POST', url: '/v1/orders', payload, headers });

    it('requires only a pet', async () => {
      const response = await post({ petId: PET_ID.toUpperCase(), status: 'approved', complete: true });
      expect([response.statusCode, response.headers['location']]).toEqual([201, `https://pets.test${ORDER}`]);
      expect(api.application.last(CreateOrder).input).toEqual({ petId: PET_ID, quantity: 1 });
      expect(api.application.last(CreateOrder).request.actor).toBe('anonymous');
    });

    it('accepts the optional fields', async () => {
      const order = { petId: PET_ID, userId: 'bob', quantity: 2, shipDate: '2026-12-24' };
      await post(order);
      expect(api.application.last(CreateOrder).input).toEqual(order);
    });

    it("takes the userId from the token's subject by default", async () => {
      await post({ petId: PET_ID }, as('ann'));
      expect(api.application.last(CreateOrder).input.userId).toBe('ann');
    });

    it.each([
      [{}, 'petId required'],
      [{ petId: 'x' }, 'petId INVALID_FORMAT'],
      [{ petId: PET_ID, quantity: 0 }, 'quantity too_small'],
      [{ petId: PET_ID, quantity: 101 }, 'quantity too_big'],
      [{ petId: PET_ID, quantity: 1.5 }, 'quantity invalid_type'],
      [{ petId: PET_ID, shipDate: '2026-02-30' }, 'shipDate INVALID_FORMAT'],
      [{ petId: PET_ID, userId: '' }, 'userId too_short'],
      [{ petId: PET_ID, userId: 'x'.repeat(65) }, 'userId too_long'],
    ])('rejects %j with 422 and the error %s', async (payload, expected) => {
      const response = await post(payload);
      expect([response.statusCode, faultsIn(response)]).toEqual([422, [expected]]);
    });

    it.each([
      ['pet_not_found', 404],
      ['pet_not_available', 409],
    ] as const)('answers the rejection %s with %i', async (rejected, status) => {
      api.application.setHandler(CreateOrder, () => ({ rejected }));
      expect((await post({ petId: PET_ID })).statusCode).toBe(status);
    });
  });

  it('reads an order', async () => {
    const response = await api.inject({ url: ORDER });
    expect([response.statusCode, response.body, response.headers['cache-control']]).toEqual([200, VIEW.json, 'private, no-cache']);
  });

  it('deletes an order', async () => expect((await api.inject({ method: 'DELETE', url: ORDER })).statusCode).toBe(204));

  it.each([
    ['shipment', ShipOrder, 'order_not_shippable'],
    ['delivery', DeliverOrder, 'order_not_deliverable'],
  ] as const)('changes the status of an order by a POST to /%s, for staff only', async (step, command, rejected) => {
    const post = () =>
      api.inject({ method: 'POST', url: `${ORDER}/${step}`, headers: { ...as('staff'), 'content-type': 'application/json' } });
    expect((await post()).statusCode).toBe(200);
    expect(api.application.last<ShipOrder | DeliverOrder>(command).id).toBe(ORDER_ID);
    api.application.setHandler<ShipOrder | DeliverOrder>(command, () => ({ rejected }));
    expect((await post()).statusCode).toBe(409);
    expect((await api.inject({ method: 'POST', url: `${ORDER}/${step}` })).statusCode).toBe(401);
  });

  describe('GET /v1/orders', () => {
    it.each([
      ['ann', '', { userId: 'ann' }],
      ['ann', '?userId=ann&status=PLACED', { userId: 'ann', status: 'placed' }],
      ['staff', '', {}],
      ['staff', `?userId=bob&petId=${PET_ID.toUpperCase()}`, { userId: 'bob', petId: PET_ID }],
    ])('as %s with the query "%s" returns the orders that match %j', async (caller, query, filter) => {
      expect((await api.inject({ url: `/v1/orders${query}`, headers: as(caller) })).statusCode).toBe(200);
      expect(api.application.last(ListOrders).filter).toEqual(filter);
    });

    it('rejects the userId of another user with 403', async () =>
      expect((await api.inject({ url: '/v1/orders?userId=bob', headers: as('ann') })).statusCode).toBe(403));
  });

  describe('POST /v1/orders/{id}/payment', () => {
    const post = (payload: object) => api.inject({ method: 'POST', url: `${ORDER}/payment`, payload });

    it('passes the card and its holder to the command separately', async () => {
      const response = await post({ ...PAYMENT, id: 'x', status: 'succeeded' });
      expect([response.statusCode, response.headers['location']]).toEqual([201, `https://pets.test${ORDER}/payment`]);
      const { name, ...instrument } = CARD;
      expect(api.application.last(CreateOrderPayment).input).toEqual({ amount: '250.00', currency: 'USD', instrument, holder: { name } });
    });

    it('accepts a bank account in its second form (contract 15.7)', async () => {
      await post({
        ...PAYMENT,
        source: {
          object: 'BANK_ACCOUNT',
          accountHolderName: 'Ann',
          routingNumber: '110000000',
          accountNumber: '000123456789',
          accountType: 'CHECKING',
        },
      });
      expect(api.application.last(CreateOrderPayment).input).toEqual({
        amount: '250.00',
        currency: 'USD',
        instrument: { object: 'bank_account', number: '000123456789', sortCode: '110000000' },
        holder: { name: 'Ann', accountType: 'CHECKING' },
      });
    });

    it.each([
      ['order_not_found', 404, []],
      ['payment_processing', 409, []],
      ['order_not_payable', 409, []],
      ['payment_mismatch', 422, ['amount mismatch']],
      ['card_expired', 422, ['source.expMonth expired', 'source.expYear expired']],
    ] as const)('answers the rejection %s with %i', async (rejected, status, expected) => {
      api.application.setHandler(CreateOrderPayment, () => ({ rejected }));
      const response = await post(PAYMENT);
      expect([response.statusCode, faultsIn(response)]).toEqual([status, expected]);
    });

    it('has neither the card number nor the cvc in its errors and in the log', async () => {
      const response = await post({ ...PAYMENT, source: { ...CARD, number: '4111111111111112', cvc: '98765' } });
      expect(response.statusCode).toBe(422);
      expect(response.body).not.toMatch(/411111|98765/);
      expect(api.logged.join('')).not.toMatch(/411111|98765/);
    });
  });

  it('returns the payment and the receipt of an order, or 404 if there is none', async () => {
    expect((await api.inject({ url: `${ORDER}/payment` })).body).toBe(VIEW.json);
    expect((await api.inject({ url: `${ORDER}/receipt` })).body).toBe(VIEW.json);
    expect(api.application.last(GetReceipt).publicUrl).toBe('https://pets.test');
    api.application.setHandler(GetReceipt, () => null);
    api.application.setHandler(GetOrderPayment, () => null);
    expect((await api.inject({ url: `${ORDER}/receipt` })).statusCode).toBe(404);
    expect((await api.inject({ url: `${ORDER}/payment` })).statusCode).toBe(404);
  });

  describe('GET /v1/inventories', () => {
    const get = (query: string) => api.inject({ url: `/v1/inventories${query}`, headers: as('ann') });

    it('returns every status, even if its quantity is 0', async () =>
      expect((await get('')).json()).toEqual({
        AVAILABLE: 3,
        PENDING: 0,
        ADOPTED: 0,
        NOT_AVAILABLE: 0,
        placed: 2,
        approved: 0,
        shipped: 0,
        delivered: 0,
      }));
    it('returns only the statuses in the query', async () =>
      expect((await get('?status=available,PLACED')).json()).toEqual({ AVAILABLE: 3, placed: 2 }));
    it('rejects an unknown status with 400', async () => {
      const response = await get('?status=AVAILABLE,cancelled');
      expect([response.statusCode, faultsIn(response)]).toEqual([400, ['status[1] invalid_enum']]);
    });
    it('requires a token', async () => expect((await api.inject({ url: '/v1/inventories' })).statusCode).toBe(401));
  });
});

describe('the API for orders under the strict access policy', () => {
  let api: RunningApi;
  beforeAll(async () => {
    api = await runningApi({ RATE_LIMIT: 'off', ACCESS_POLICY: 'strict' });
  });
  afterAll(() => api.app.close());
  beforeEach(() => setAnswers(api));

  const requests = [
    ['GET', ORDER, undefined],
    ['DELETE', ORDER, undefined],
    ['POST', `${ORDER}/payment`, PAYMENT],
    ['GET', `${ORDER}/payment`, undefined],
    ['GET', `${ORDER}/receipt`, undefined],
  ] as const;

  it.each(requests)('allows %s %s only for the owner and for staff', async (method, url, payload) => {
    const status = async (headers: Readonly<Record<string, string>>): Promise<number> =>
      (await api.inject({ method, url, headers, ...(payload && { payload }) })).statusCode;
    expect([await status({}), await status(as('bound')), (await status(as('ann'))) < 300, (await status(as('staff'))) < 300]).toEqual([
      401,
      404,
      true,
      true,
    ]);
  });

  it('lets callers order for themselves, and staff for anyone', async () => {
    const status = async (payload: object, caller: string): Promise<number> =>
      (await api.inject({ method: 'POST', url: '/v1/orders', payload, headers: as(caller) })).statusCode;
    expect([
      await status({ petId: PET_ID }, 'ann'),
      await status({ petId: PET_ID, userId: 'ann' }, 'ann'),
      await status({ petId: PET_ID, userId: 'bob' }, 'ann'),
      await status({ petId: PET_ID, userId: 'bob' }, 'staff'),
    ]).toEqual([201, 201, 403, 201]);
  });
});
