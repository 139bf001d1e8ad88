import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import * as odd from './odd-money.js';
import { card, openShop, PLAIN_PET, PRICED_PET, type Payment, type Pet, type Shop } from './shop.js';

let service: TestPetstore;
let shop: Shop;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service);
});
afterAll(() => service.stop());

type Fault = { readonly field: string; readonly code: string };
type Send = (value: unknown) => Promise<{ readonly status: number; readonly json: unknown }>;

const pay = (orderId: string, fields: object) =>
  shop.request<Payment>('POST', `/v1/orders/${orderId}/payment`, {
    body: { amount: '250.00', currency: 'USD', source: card(), ...fields },
  });
const requestCallback = (orderId: string, fields: object) =>
  shop.request('POST', `/v1/orders/${orderId}`, {
    body: { amount: '250.00', currency: 'USD', timestamp: '2026-01-02T03:04:05Z', callbackUrl: 'http://127.0.0.1:1/', ...fields },
  });

const CONCURRENT = 16;

/** Calls `work` with every value, 16 at a time. */
const mapInParallel = async <T, R>(values: readonly T[], work: (value: T) => Promise<R>): Promise<readonly R[]> => {
  const done: R[] = [];
  for (let from = 0; from < values.length; from += CONCURRENT)
    done.push(...(await Promise.all(values.slice(from, from + CONCURRENT).map(work))));
  return done;
};

/** Sends each value. Expects `status`, and among the errors of the response one with this field and the code of the value. */
const expectEachRejected = async (
  values: readonly unknown[],
  send: Send,
  status: number,
  field: string,
  code: (value: unknown) => string,
) => {
  const responses = await mapInParallel(values, async (value) => {
    const { status: returned, json } = await send(value);
    const faults = ((json as { errors?: readonly Fault[] }).errors ?? []).map((fault) => `${fault.field} ${fault.code}`);
    return { value, returned, faults };
  });
  const isExpected = ({ value, returned, faults }: (typeof responses)[number]): boolean =>
    returned === status && faults.includes(`${field} ${code(value)}`);
  expect(responses.filter((response) => !isExpected(response))).toEqual([]);
};
const formatOrType = (value: unknown): string =>
  value === null ? 'required' : typeof value === 'string' ? 'INVALID_FORMAT' : 'invalid_type';

const ELEVEN_DIGITS = ['12345678901.00', '99999999999.99', '999999999999.99'];
const AMOUNTS = [...odd.ODD_AMOUNTS, ...odd.NOT_TEXTS, null];
const PRICES = [...odd.ODD_AMOUNTS, ...odd.NOT_TEXTS, ...ELEVEN_DIGITS];
const CURRENCIES = [...odd.ODD_CURRENCIES, ...odd.NOT_TEXTS];
const CARD_NUMBERS = [...odd.ODD_NUMBERS, 4_242_424_242_424_242, ...odd.NOT_TEXTS, null];
const VALID = odd.GOOD_PRICES.length + odd.GOOD_AMOUNTS.length * 2 + odd.GOOD_CURRENCIES.length * 2;
const CASES =
  2 * (PRICES.length + AMOUNTS.length) +
  4 * CURRENCIES.length +
  CARD_NUMBERS.length +
  odd.ODD_CARDS.length +
  odd.ODD_SOURCES.length +
  VALID;

/** Proves contract 3.6, contract 3.7, contract 15.5, contract 15.6, contract 15.7 and contract 17.1. */
describe(`an amount, currency or source (${CASES} cases)`, () => {
  let orderId: string;
  beforeAll(async () => {
    orderId = (await shop.placeOrder((await shop.listPet()).id)).id;
  });

  it(`is rejected as the price of a new pet if invalid: ${PRICES.length} values`, async () => {
    const create: Send = (price) => shop.requestAsStaff('POST', '/v1/pets', { body: { ...PLAIN_PET, price } });
    await expectEachRejected(PRICES, create, 422, 'price', formatOrType);
  });

  it(`is rejected as the price in a replacement if invalid: ${PRICES.length} values`, async () => {
    const pet = await shop.listPet();
    const replace: Send = (price) => shop.requestAsStaff('PUT', `/v1/pets/${pet.id}`, { body: { ...pet, price } });
    await expectEachRejected(PRICES, replace, 422, 'price', formatOrType);
    expect((await shop.request('GET', `/v1/pets/${pet.id}`)).json).toEqual(pet);
  });

  it(`is rejected as the amount of a payment if invalid: ${AMOUNTS.length} values`, () =>
    expectEachRejected(AMOUNTS, (amount) => pay(orderId, { amount }), 422, 'amount', formatOrType));

  it(`is rejected as the amount of a callback if invalid: ${AMOUNTS.length} values`, () =>
    expectEachRejected(AMOUNTS, (amount) => requestCallback(orderId, { amount }), 400, 'amount', formatOrType));

  it('is rejected if it has decimals that its currency lacks, and accepted with zeros', async () => {
    const pet = await shop.listPet();
    const sends: readonly (readonly [string, number, Send])[] = [
      ['price', 422, (price) => shop.requestAsStaff('POST', '/v1/pets', { body: { ...PLAIN_PET, price, currency: 'jpy' } })],
      ['price', 422, (price) => shop.requestAsStaff('PUT', `/v1/pets/${pet.id}`, { body: { ...pet, price, currency: 'JPY' } })],
      ['amount', 422, (amount) => pay(orderId, { amount, currency: 'JPY' })],
      ['amount', 400, (amount) => requestCallback(orderId, { amount, currency: 'JPY' })],
    ];
    for (const [field, status, send] of sends) {
      await expectEachRejected(['100.50', '0.01'], send, status, field, formatOrType);
      // An amount that is not the amount due is another error.
      const { json } = await send('100.00');
      expect(JSON.stringify(json)).not.toContain('INVALID_FORMAT');
    }
  });

  it(`is rejected as the currency of a pet, a payment or a callback if invalid: 4 × ${CURRENCIES.length} values`, async () => {
    const pet = await shop.listPet();
    const create: Send = (currency) => shop.requestAsStaff('POST', '/v1/pets', { body: { ...PRICED_PET, currency } });
    const replace: Send = (currency) => shop.requestAsStaff('PUT', `/v1/pets/${pet.id}`, { body: { ...pet, currency } });
    await expectEachRejected(CURRENCIES, create, 422, 'currency', formatOrType);
    await expectEachRejected(CURRENCIES, replace, 422, 'currency', formatOrType);
    await expectEachRejected(CURRENCIES, (currency) => pay(orderId, { currency }), 422, 'currency', formatOrType);
    await expectEachRejected(CURRENCIES, (currency) => requestCallback(orderId, { currency }), 400, 'currency', formatOrType);
  });

  it(`is rejected as a card number if invalid: ${CARD_NUMBERS.length} values`, () =>
    expectEachRejected(CARD_NUMBERS, (number) => pay(orderId, { source: { ...card(), number } }), 422, 'source.number', formatOrType));

  it(`is rejected as a card if invalid: ${odd.ODD_CARDS.length} cards with another cvc, expiry, name or country`, async () => {
    await mapInParallel(odd.ODD_CARDS, async ([fields, field]) => {
      const response = await pay(orderId, { source: { ...card(), ...fields } });
      const faults = (response.json as unknown as { errors: readonly Fault[] }).errors.map((fault) => fault.field);
      expect({ fields, status: response.status, faults }).toEqual({ fields, status: 422, faults: [field] });
    });
  });

  it(`is rejected as a source if invalid: ${odd.ODD_SOURCES.length} mixtures of the documented shapes`, async () => {
    await mapInParallel(odd.ODD_SOURCES, async ([source, field]) => {
      const response = await pay(orderId, { source });
      const faults = (response.json as unknown as { errors?: readonly Fault[] }).errors?.map((fault) => fault.field) ?? [];
      expect({ source, status: response.status, faulty: faults.includes(field) }).toEqual({ source, status: 422, faulty: true });
    });
    expect((await shop.request('GET', `/v1/orders/${orderId}/payment`)).status).toBe(404);
  });

  it(`is accepted at the limits: ${VALID} values`, async () => {
    await mapInParallel(odd.GOOD_PRICES, async (price) => expect((await shop.listPet({ price })).price).toBe(price));
    await mapInParallel(odd.GOOD_CURRENCIES, async (code) =>
      expect((await shop.listPet({ currency: code })).currency).toBe(code.toUpperCase()),
    );
    const unpriced = async () => (await shop.placeOrder((await shop.listPet({ price: undefined, currency: undefined })).id)).id;
    await mapInParallel(odd.GOOD_AMOUNTS, async (amount) => {
      const id = await unpriced();
      expect((await requestCallback(id, { amount })).status).toBe(201);
      expect((await pay(id, { amount })).json).toMatchObject({ amount });
    });
    await mapInParallel(odd.GOOD_CURRENCIES, async (currency) => expect((await pay(await unpriced(), { currency })).status).toBe(201));
  });
});

/**
 * The amount due for a price and a quantity, and wrong amounts that result from likely mistakes of a client.
 */
const DUE: readonly (readonly [price: string, quantity: number, due: string, wrong: readonly string[]])[] = [
  ['250.00', 1, '250.00', ['249.99', '250.01', '25.00', '2500.00', '0.00', '500.00', '999999999999.99']],
  ['19.99', 3, '59.97', ['19.99', '59.96', '59.98', '57.00', '60.00', '5.97']],
  ['0.10', 3, '0.30', ['0.10', '0.31', '0.29', '3.00']],
  ['0.00', 7, '0.00', ['0.01', '7.00']],
  ['9999999999.99', 1, '9999999999.99', ['9999999999.98', '10000000000.00', '999999999.99']],
  ['9999999999.99', 2, '19999999999.98', ['9999999999.99', '19999999999.97', '20000000000.00']],
  ['9999999999.99', 100, '999999999999.00', ['9999999999.99', '999999999998.99', '999999999999.99']],
  ['9007199254.74', 99, '891712726219.26', ['891712726219.25', '891712726219.27']],
];
const DUE_CASES = DUE.reduce((sum, [, , , wrong]) => sum + wrong.length + 1, 0);

/** Proves contract 13.5, contract 15.3, contract 15.4, contract 9.2 and contract 13.10. */
describe(`the amount due (${DUE_CASES} amounts, 4 more cases)`, () => {
  it.each(DUE)('for %s x %i is %s to the cent', async (price, quantity, due, wrong) => {
    const { id } = await shop.placeOrder((await shop.listPet({ price })).id, { quantity });
    for (const amount of wrong) {
      const { status, json } = await pay(id, { amount });
      expect([amount, status, (json as unknown as { errors: readonly Fault[] }).errors]).toEqual([
        amount,
        422,
        [expect.objectContaining({ field: 'amount', code: 'mismatch' })],
      ]);
    }
    expect((await pay(id, { amount: due })).status).toBe(201);
    await shop.orderBecomes(id, 'approved');
  });

  it('is fixed when the order is placed; later changes of the pet’s price and currency do not change it', async () => {
    const pet = await shop.listPet();
    const { id } = await shop.placeOrder(pet.id);
    const { json } = await shop.request<Pet>('GET', `/v1/pets/${pet.id}`);
    expect((await shop.requestAsStaff('PUT', `/v1/pets/${pet.id}`, { body: { ...json, price: '1.00', currency: 'EUR' } })).status).toBe(
      200,
    );
    for (const fields of [{ amount: '1.00' }, { currency: 'EUR' }, { amount: '1.00', currency: 'EUR' }])
      expect((await pay(id, fields)).status).toBe(422);
    expect((await pay(id, {})).status).toBe(201);
  });

  it('is paid once by concurrent payments', async () => {
    const { id } = await shop.placeOrder((await shop.listPet()).id);
    const responses = await Promise.all(Array.from({ length: 40 }, () => pay(id, {})));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 39 }, () => 409)]);
    await shop.orderBecomes(id, 'approved');
    expect((await pay(id, {})).status).toBe(409);
  });

  it('is paid once by concurrent payments with one Idempotency-Key, and all responses are equal', async () => {
    const { id } = await shop.placeOrder((await shop.listPet()).id);
    const body = { amount: '250.00', currency: 'USD', source: card() };
    const once = () => shop.request<Payment>('POST', `/v1/orders/${id}/payment`, { body, idempotencyKey: 'pays-once' });
    const responses = await Promise.all(Array.from({ length: 20 }, once));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(201);
    expect(responses.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
  });

  it('that is paid does not prevent a deletion of the order: one of ten concurrent requests gets 204', async () => {
    const { order } = await shop.sell();
    const responses = await Promise.all(Array.from({ length: 10 }, () => shop.request('DELETE', `/v1/orders/${order.id}`)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, ...Array.from({ length: 9 }, () => 404)]);
    await shop.petBecomes(order.petId, 'AVAILABLE');
  });
});
