import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TEST_INSTRUMENTS } from '../../apps/api/payments/payment.examples.js';
import { eventually } from '../eventually.js';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';
import { card, CARDS, openShop, PRICED_PET, type Order, type Payment, type Receipt, type Shop } from './shop.js';

const CARD_FIELDS = {
  addressLine1: '1 High Street',
  addressLine2: '',
  addressCity: 'London',
  addressCountry: 'gb',
  addressPostCode: 'N12 9XX',
};
const ACCOUNT = {
  object: 'bank_account',
  name: 'Ada Lovelace',
  number: '000123456789',
  sortCode: '110000',
  accountType: 'individual',
  bankName: 'Starling Bank',
  country: 'gb',
};
const GUIDE_ACCOUNT = {
  object: 'BANK_ACCOUNT',
  accountHolderName: 'Ada Lovelace',
  routingNumber: '110000000',
  accountNumber: '000123456789',
  accountType: 'CHECKING',
};

let service: TestPetstore;
let shop: Shop;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service);
});
afterAll(() => service.stop());

const orderOf = async (petFields: object = {}) => (await shop.placeOrder((await shop.listPet(petFields)).id)).id;
const pay = (orderId: string, fields: object = {}) =>
  shop.request<Payment>('POST', `/v1/orders/${orderId}/payment`, {
    body: { amount: '250.00', currency: 'USD', source: card(), ...fields },
  });
const read = (orderId: string, part: string) => shop.request('GET', `/v1/orders/${orderId}/${part}`);

/**
 * Proves contract 15.1, contract 15.2, contract 15.3, contract 15.4, contract 15.5, contract 15.6,
 * contract 15.7, contract 15.8, contract 15.10, contract 15.11 and contract 15.12.
 * Proves rows of contract 42.2, 42.6, 42.9, 42.13 and 42.16.
 */
describe('paying an order', () => {
  it('by card returns the payment as processing, with a masked number and no cvc', async () => {
    const orderId = await orderOf();
    const { status, headers, json, text } = await pay(orderId, { source: card(CARDS.good, CARD_FIELDS) });
    expect(status).toBe(201);
    const source = {
      object: 'card',
      name: 'Ada Lovelace',
      number: '************4242',
      brand: 'visa',
      last4: '4242',
      expMonth: 12,
      expYear: 2035,
      ...CARD_FIELDS,
    };
    expect(json).toEqual({ id: json.id, amount: '250.00', currency: 'USD', source, status: 'processing' });
    expect(new URL(headers.location ?? '', service.url).pathname).toBe(`/v1/orders/${orderId}/payment`);
    expect(text).not.toMatch(/cvc|42424242|"123"/);
    expect((await shop.paymentBecomes(orderId, 'succeeded')).source).toEqual(source);
  });

  it('from a bank account returns the payment as processing, with a masked number', async () => {
    const orderId = await orderOf();
    const { status, json } = await pay(orderId, { source: ACCOUNT });
    expect(status).toBe(201);
    expect(json).toMatchObject({ status: 'processing', source: { ...ACCOUNT, number: '********6789' } });
    await shop.orderBecomes(orderId, 'approved');
  });

  it('with a source in the form of the payment guide is accepted, and returned in the form of the interface description', async () => {
    const orderId = await orderOf();
    const { status, json } = await pay(orderId, { source: GUIDE_ACCOUNT });
    expect(status).toBe(201);
    expect(json.source).toMatchObject({ object: 'bank_account', name: 'Ada Lovelace', number: '********6789', sortCode: '110000000' });
    const other = await orderOf();
    expect((await pay(other, { source: card(CARDS.good, { object: 'CARD' }) })).json.source).toMatchObject({ object: 'card' });
  });

  it.each([
    [card(CARDS.good), 'succeeded', undefined],
    [card('5555555555554444'), 'succeeded', undefined],
    [card(CARDS.declined), 'failed', 'card_declined'],
    [card(CARDS.insufficientFunds), 'failed', 'insufficient_funds'],
    [card(CARDS.processingError), 'failed', 'processing_error'],
    [ACCOUNT, 'succeeded', undefined],
    [{ ...ACCOUNT, number: '000111111116' }, 'failed', 'bank_debit_failed'],
  ])('with %j ends as %s', async (source, status, failureReason) => {
    const orderId = await orderOf();
    expect((await pay(orderId, { source })).json.status).toBe('processing');
    const payment = await shop.paymentBecomes(orderId, status);
    expect(payment).toEqual({ ...payment, ...(failureReason && { failureReason }) });
    await shop.orderBecomes(orderId, status === 'succeeded' ? 'approved' : 'placed');
  });

  it('approves the order and makes the pet ADOPTED', async () => {
    const { pet } = await shop.sell();
    expect((await shop.request('GET', `/v1/pets/${pet.id}`)).json).toMatchObject({ status: 'ADOPTED' });
  });

  it('requires the frozen price times the quantity', async () => {
    const pet = await shop.listPet({ price: '19.99' });
    const { id } = await shop.placeOrder(pet.id, { quantity: 3 });
    await shop.requestAsStaff('PUT', `/v1/pets/${pet.id}`, { body: { ...pet, status: 'PENDING', price: '1.00' } });
    expectProblem(await pay(id, { amount: '3.00' }), 422, 'validation-failed', { amount: 'mismatch' });
    expect((await pay(id, { amount: '59.97' })).status).toBe(201);
  });

  it('with another amount, another currency or both returns 422 and lists every mismatch', async () => {
    const orderId = await orderOf();
    expectProblem(await pay(orderId, { amount: '249.99' }), 422, 'validation-failed', { amount: 'mismatch' });
    expectProblem(await pay(orderId, { currency: 'EUR' }), 422, 'validation-failed', { currency: 'mismatch' });
    expectProblem(await pay(orderId, { amount: '1.00', currency: 'EUR' }), 422, 'validation-failed', {
      amount: 'mismatch',
      currency: 'mismatch',
    });
    expect((await pay(orderId, { currency: 'usd' })).status).toBe(201);
  });

  it('for a pet without a price accepts any amount', async () => {
    expect((await pay(await orderOf({ price: undefined, currency: undefined }), { amount: '7.77', currency: 'CHF' })).status).toBe(201);
  });

  it('that does not exist returns 404', async () => {
    expectProblem(await pay(randomUUID()), 404, 'not-found');
    expectProblem(await pay('rex'), 400, 'invalid-request', { id: 'INVALID_FORMAT' });
  });

  it('that is paid returns 409', async () => {
    const { order } = await shop.sell();
    expectProblem(await pay(order.id), 409, 'conflict');
  });

  it('again after a failure is accepted, and reads show the latest payment', async () => {
    const orderId = await orderOf();
    const first = await pay(orderId, { source: card(CARDS.declined) });
    await shop.paymentBecomes(orderId, 'failed');
    const second = await pay(orderId);
    expect(second.status).toBe(201);
    expect(second.json.id).not.toBe(first.json.id);
    await shop.orderBecomes(orderId, 'approved');
    expect((await read(orderId, 'payment')).json).toMatchObject({ id: second.json.id, status: 'succeeded' });
  });

  it.each(Object.entries(TEST_INSTRUMENTS))(
    'with an example of the document has the outcome that its name says: %s',
    async (name, body) => {
      const { id } = await shop.placeOrder((await shop.listPet()).id);
      expect((await shop.request('POST', `/v1/orders/${id}/payment`, { body })).status).toBe(201);
      await shop.paymentBecomes(id, name.includes('succeeds') ? 'succeeded' : 'failed');
    },
  );

  it('shows on the order what is due, what happened and when, also after a change of the price', async () => {
    const pet = await shop.listPet();
    const { id } = await shop.placeOrder(pet.id, { quantity: 2 });
    const show = async () => (await shop.request<Order>('GET', `/v1/orders/${id}`)).json;
    const placed = await show();
    await shop.requestAsStaff('PUT', `/v1/pets/${pet.id}`, { body: { ...PRICED_PET, price: '300.00', status: 'PENDING' } });
    expect(await show()).toMatchObject({ status: 'placed', amountDue: '500.00', currency: 'USD' });
    expect(await show()).toEqual({ ...placed, updatedAt: placed.createdAt });
    const wrong = await pay(id, { amount: '600.00' });
    expect(JSON.parse(wrong.text)).toMatchObject({
      errors: [{ field: 'amount', message: 'must equal the amount due for the order: 500.00 USD' }],
    });
    await pay(id, { amount: '500.00', source: card(CARDS.declined) });
    await shop.paymentBecomes(id, 'failed');
    await eventually('the failure to show', async () => (await show()).paymentStatus === 'failed');
    const failed = await show();
    expect(failed).toMatchObject({ status: 'placed', expiresAt: placed.expiresAt });
    await pay(id, { amount: '500.00' });
    expect(['processing', 'succeeded']).toContain((await show()).paymentStatus);
    await shop.orderBecomes(id, 'approved');
    const paid = await show();
    expect(paid).toMatchObject({ amountDue: '500.00', paymentStatus: 'succeeded', createdAt: placed.createdAt });
    expect(paid).not.toHaveProperty('expiresAt');
    expect([placed.createdAt, failed.updatedAt, paid.updatedAt]).toEqual([placed.createdAt, failed.updatedAt, paid.updatedAt].sort());
  });
});

/** Proves contract 4.7, contract 15.1, contract 15.5, contract 15.6 and contract 15.8. */
describe('an invalid payment', () => {
  it.each([
    [
      'no fields',
      { amount: undefined, currency: undefined, source: undefined },
      { amount: 'required', currency: 'required', source: 'required' },
    ],
    ['a source without object', { source: {} }, { 'source.object': 'required' }],
    ['a source of an unknown kind', { source: { object: 'cheque' } }, { 'source.object': 'invalid_enum' }],
    ['a source that is a text', { source: 'card' }, { source: 'invalid_type' }],
    ['an amount of 1e3', { amount: '1e3' }, { amount: 'INVALID_FORMAT' }],
    ['an amount that is a number', { amount: 250 }, { amount: 'invalid_type' }],
    ['an unknown currency', { currency: 'DOL' }, { currency: 'INVALID_FORMAT' }],
    ['a number with a wrong check digit', { source: card('4242424242424241') }, { 'source.number': 'INVALID_FORMAT' }],
    ['month 13', { source: card(CARDS.good, { expMonth: 13 }) }, { 'source.expMonth': 'too_big' }],
    ['a cvc of letters', { source: card(CARDS.good, { cvc: 'abc' }) }, { 'source.cvc': 'INVALID_FORMAT' }],
    ['a country in capitals', { source: card(CARDS.good, { addressCountry: 'GB' }) }, { 'source.addressCountry': 'INVALID_FORMAT' }],
    ['an expired card', { source: card(CARDS.good, { expYear: 2020 }) }, { 'source.expMonth': 'expired', 'source.expYear': 'expired' }],
    [
      'a card without fields',
      { source: { object: 'card' } },
      { 'source.number': 'required', 'source.expMonth': 'required', 'source.expYear': 'required' },
    ],
    ['an account without a number', { source: { ...ACCOUNT, number: undefined } }, { 'source.number': 'required' }],
    [
      'unknown properties',
      { tip: '1.00', source: card(CARDS.good, { pin: '0000' }) },
      { tip: 'unknown_property', 'source.pin': 'unknown_property' },
    ],
  ])('with %s returns 422 and lists every failing field without its value', async (_, fields, faults) => {
    const response = await pay(await orderOf(), fields);
    expectProblem(response, 422, 'validation-failed', faults);
    // Checks only the detail and the errors: elsewhere, the response has the order's random id, which may contain these digits.
    const { detail, errors } = JSON.parse(response.text) as { detail: string; errors: unknown };
    expect(JSON.stringify([detail, errors])).not.toMatch(/424242|0000"|abc/);
  });
});

/** Proves contract 15.11 and contract 16.1. */
describe('the payment and the receipt of an order', () => {
  it('return 404 until they exist', async () => {
    const orderId = await orderOf();
    expectProblem(await read(orderId, 'payment'), 404, 'not-found');
    expectProblem(await read(orderId, 'receipt'), 404, 'not-found');
    await pay(orderId, { source: card(CARDS.declined) });
    await shop.paymentBecomes(orderId, 'failed');
    expectProblem(await read(orderId, 'receipt'), 404, 'not-found');
    expectProblem(await read(randomUUID(), 'payment'), 404, 'not-found');
  });

  it('have the same amount and source once the order is approved', async () => {
    const { order } = await shop.sell();
    const payment = (await read(order.id, 'payment')).json as Payment;
    const receipt = (await read(order.id, 'receipt')).json as Receipt;
    const { id: paymentId, amount, currency, source } = payment;
    expect(receipt).toEqual({ ...receipt, orderId: order.id, paymentId, amount, currency, source });
    const { pathname } = new URL(receipt.receiptUrl);
    expect((await shop.request('GET', pathname)).json).toEqual(receipt);
    expect(Date.parse(receipt.generatedAt)).toBeGreaterThanOrEqual(Date.parse(receipt.paidAt));
  });

  it('return 404 once the order is deleted', async () => {
    const { order } = await shop.sell();
    await shop.request('DELETE', `/v1/orders/${order.id}`);
    expectProblem(await read(order.id, 'payment'), 404, 'not-found');
    expectProblem(await read(order.id, 'receipt'), 404, 'not-found');
  });
});
