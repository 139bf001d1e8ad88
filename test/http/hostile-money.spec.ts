import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startStore, type TestStore } from '../servers/store.js';
import * as odd from './odd-money.js';
import { card, openShop, PLAIN_PET, PRICED_PET, type Payment, type Pet, type Shop } from './shop.js';

/** Hundreds of requests each. */
jest.setTimeout(90_000);

let store: TestStore;
let shop: Shop;
beforeAll(async () => {
  store = await startStore();
  shop = await openShop(store);
});
afterAll(() => store.stop());

type Fault = { readonly field: string; readonly code: string };
type Sent = (value: unknown) => Promise<{ readonly status: number; readonly json: unknown }>;

const pay = (orderId: string, fields: object) =>
  shop.ask<Payment>('POST', `/v1/orders/${orderId}/payment`, { body: { amount: '250.00', currency: 'USD', source: card(), ...fields } });
const ask = (orderId: string, fields: object) =>
  shop.ask('POST', `/v1/orders/${orderId}`, {
    body: { amount: '250.00', currency: 'USD', timestamp: '2026-01-02T03:04:05Z', callbackUrl: 'http://127.0.0.1:1/', ...fields },
  });

const AT_ONCE = 16;

/** Does the same with each value, some at once. */
const inParts = async <T, R>(values: readonly T[], work: (value: T) => Promise<R>): Promise<readonly R[]> => {
  const done: R[] = [];
  for (let from = 0; from < values.length; from += AT_ONCE) done.push(...(await Promise.all(values.slice(from, from + AT_ONCE).map(work))));
  return done;
};

/** Sends each value, and expects that status and a fault of that field among those listed; a refusal names the value nowhere. */
const refusesEach = async (values: readonly unknown[], send: Sent, status: number, field: string, code: (value: unknown) => string) => {
  const answers = await inParts(values, async (value) => {
    const { status: answered, json } = await send(value);
    const faults = ((json as { errors?: readonly Fault[] }).errors ?? []).map((fault) => `${fault.field} ${fault.code}`);
    return { value, answered, faults };
  });
  const isRight = ({ value, answered, faults }: (typeof answers)[number]): boolean =>
    answered === status && faults.includes(`${field} ${code(value)}`);
  expect(answers.filter((answer) => !isRight(answer))).toEqual([]);
};
const formatOrType = (value: unknown): string => (typeof value === 'string' ? 'INVALID_FORMAT' : 'invalid_type');

const ELEVEN_DIGITS = ['12345678901.00', '99999999999.99', '999999999999.99'];
const AMOUNTS = [...odd.ODD_AMOUNTS, ...odd.NO_TEXTS];
const PRICES = [...AMOUNTS, ...ELEVEN_DIGITS];
const CURRENCIES = [...odd.ODD_CURRENCIES, ...odd.NO_TEXTS];
const CARD_NUMBERS = [...odd.ODD_NUMBERS, 4_242_424_242_424_242, ...odd.NO_TEXTS];
const GOOD = odd.GOOD_PRICES.length + odd.GOOD_AMOUNTS.length * 2 + odd.GOOD_CURRENCIES.length * 2;
const FORMS =
  2 * (PRICES.length + AMOUNTS.length) + 4 * CURRENCIES.length + CARD_NUMBERS.length + odd.ODD_CARDS.length + odd.ODD_SOURCES.length + GOOD;

describe(`money in every odd form (${FORMS} cases)`, () => {
  let orderId: string;
  beforeAll(async () => {
    orderId = (await shop.placeOrder((await shop.listPet()).id)).id;
  });

  it(`is no price: ${PRICES.length} values`, async () => {
    const create: Sent = (price) => shop.askAsStaff('POST', '/v1/pets', { body: { ...PLAIN_PET, price } });
    await refusesEach(PRICES, create, 422, 'price', formatOrType);
  });

  it(`is no price that replaces another: ${PRICES.length} values`, async () => {
    const pet = await shop.listPet();
    const replace: Sent = (price) => shop.askAsStaff('PUT', `/v1/pets/${pet.id}`, { body: { ...pet, price } });
    await refusesEach(PRICES, replace, 422, 'price', formatOrType);
    expect((await shop.ask('GET', `/v1/pets/${pet.id}`)).json).toEqual(pet);
  });

  it(`is no amount of a payment: ${AMOUNTS.length} values`, () =>
    refusesEach(AMOUNTS, (amount) => pay(orderId, { amount }), 422, 'amount', formatOrType));

  it(`is no amount of a callback: ${AMOUNTS.length} values`, () =>
    refusesEach(AMOUNTS, (amount) => ask(orderId, { amount }), 400, 'amount', formatOrType));

  it(`is no currency of a pet, a payment or a callback: 4 × ${CURRENCIES.length} values`, async () => {
    const pet = await shop.listPet();
    const create: Sent = (currency) => shop.askAsStaff('POST', '/v1/pets', { body: { ...PRICED_PET, currency } });
    const replace: Sent = (currency) => shop.askAsStaff('PUT', `/v1/pets/${pet.id}`, { body: { ...pet, currency } });
    await refusesEach(CURRENCIES, create, 422, 'currency', formatOrType);
    await refusesEach(CURRENCIES, replace, 422, 'currency', formatOrType);
    await refusesEach(CURRENCIES, (currency) => pay(orderId, { currency }), 422, 'currency', formatOrType);
    await refusesEach(CURRENCIES, (currency) => ask(orderId, { currency }), 400, 'currency', formatOrType);
  });

  it(`is no card number: ${CARD_NUMBERS.length} values`, () =>
    refusesEach(CARD_NUMBERS, (number) => pay(orderId, { source: { ...card(), number } }), 422, 'source.number', formatOrType));

  it(`is no card: ${odd.ODD_CARDS.length} cards that differ in cvc, expiry or country`, async () => {
    await inParts(odd.ODD_CARDS, async ([fields, field]) => {
      const answer = await pay(orderId, { source: { ...card(), ...fields } });
      const faults = (answer.json as unknown as { errors: readonly Fault[] }).errors.map((fault) => fault.field);
      expect({ fields, status: answer.status, faults }).toEqual({ fields, status: 422, faults: [field] });
    });
  });

  it(`is no source: ${odd.ODD_SOURCES.length} mixtures of the documented shapes`, async () => {
    await inParts(odd.ODD_SOURCES, async ([source, field]) => {
      const answer = await pay(orderId, { source });
      const faults = (answer.json as unknown as { errors?: readonly Fault[] }).errors?.map((fault) => fault.field) ?? [];
      expect({ source, status: answer.status, faulty: faults.includes(field) }).toEqual({ source, status: 422, faulty: true });
    });
    expect((await shop.ask('GET', `/v1/orders/${orderId}/payment`)).status).toBe(404);
  });

  it(`is taken at the edges of what may be: ${GOOD} values`, async () => {
    await inParts(odd.GOOD_PRICES, async (price) => expect((await shop.listPet({ price })).price).toBe(price));
    await inParts(odd.GOOD_CURRENCIES, async (code) => expect((await shop.listPet({ currency: code })).currency).toBe(code.toUpperCase()));
    const unpriced = async () => (await shop.placeOrder((await shop.listPet({ price: undefined, currency: undefined })).id)).id;
    await inParts(odd.GOOD_AMOUNTS, async (amount) => {
      const id = await unpriced();
      expect((await ask(id, { amount })).status).toBe(201);
      expect((await pay(id, { amount })).json).toMatchObject({ amount });
    });
    await inParts(odd.GOOD_CURRENCIES, async (currency) => expect((await pay(await unpriced(), { currency })).status).toBe(201));
  });
});

/** What is due for a price and a quantity, and amounts that are not, each by a slip that a client may make. */
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
const SLIPS = DUE.reduce((sum, [, , , wrong]) => sum + wrong.length + 1, 0);

describe(`what is due (${SLIPS} amounts, 4 more cases)`, () => {
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
    await shop.becomes(id, 'approved');
  });

  it('stays what it was at placing, in amount and currency, whatever the pet’s price becomes', async () => {
    const pet = await shop.listPet();
    const { id } = await shop.placeOrder(pet.id);
    const { json } = await shop.ask<Pet>('GET', `/v1/pets/${pet.id}`);
    expect((await shop.askAsStaff('PUT', `/v1/pets/${pet.id}`, { body: { ...json, price: '1.00', currency: 'EUR' } })).status).toBe(200);
    for (const fields of [{ amount: '1.00' }, { currency: 'EUR' }, { amount: '1.00', currency: 'EUR' }])
      expect((await pay(id, fields)).status).toBe(422);
    expect((await pay(id, {})).status).toBe(201);
  });

  it('is paid once, however many pay at once', async () => {
    const { id } = await shop.placeOrder((await shop.listPet()).id);
    const answers = await Promise.all(Array.from({ length: 40 }, () => pay(id, {})));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 39 }, () => 409)]);
    await shop.becomes(id, 'approved');
    expect((await pay(id, {})).status).toBe(409);
  });

  it('is paid once under one Idempotency-Key, and every answer is the same', async () => {
    const { id } = await shop.placeOrder((await shop.listPet()).id);
    const body = { amount: '250.00', currency: 'USD', source: card() };
    const once = () => shop.ask<Payment>('POST', `/v1/orders/${id}/payment`, { body, idempotencyKey: 'pays-once' });
    const answers = await Promise.all(Array.from({ length: 20 }, once));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
  });

  it('is given back once, however often the order is deleted at once', async () => {
    const { order } = await shop.sell();
    const answers = await Promise.all(Array.from({ length: 10 }, () => shop.ask('DELETE', `/v1/orders/${order.id}`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, ...Array.from({ length: 9 }, () => 404)]);
    await shop.petBecomes(order.petId, 'AVAILABLE');
  });
});
