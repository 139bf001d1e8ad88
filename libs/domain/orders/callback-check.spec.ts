import { describe, expect, it } from '@jest/globals';
import type { PaymentId, PetId } from '../ids.js';
import { orderDecider, type OrderState } from './order.decider.js';
import type { OrderDetails, OrderEvent } from './order.events.js';
import { recorded } from '../../eventsourcing/testing/recorded.js';
import { checkForCallback } from './callback-check.js';

const petId = 'p1' as PetId;
const paymentId = 'y1' as PaymentId;
const priced: OrderDetails = { petId, quantity: 2, unitPrice: '90.00', currency: 'EUR' };
const placed = (details = priced): OrderEvent => ({ type: 'OrderPlaced', data: details });
const started: OrderEvent = {
  type: 'OrderPaymentStarted',
  data: { paymentId, amount: '180.00', currency: 'EUR', source: { object: 'bank_account', number: '*****6789' }, reference: 'r' },
};
const approved: OrderEvent = { type: 'OrderApproved', data: { petId, paymentId } };
const shipped: OrderEvent = { type: 'OrderShipped', data: { shipDate: '2026-01-02' } };
const delivered: OrderEvent = { type: 'OrderDelivered', data: { petId } };
const cancelled: OrderEvent = { type: 'OrderCancelled', data: { reason: 'requested', petId } };
const removed: OrderEvent = { type: 'OrderRemoved', data: { petId, status: 'cancelled' } };

const after = (...events: readonly OrderEvent[]): OrderState =>
  recorded(events, 'order-o1').reduce((state, event) => orderDecider.evolve(state, event, event.meta), orderDecider.initial);
const expected = (amount = '180.00', currency = 'EUR') => ({ amount, currency });
const completed = (orderStatus: string, amountDue = '180.00', currency = 'EUR') => ({
  status: 'COMPLETED',
  result: { orderStatus, amountDue, currency },
});
const failed = (reason: string) => ({ status: 'FAILED', result: { reason } });

/** Proves rows of contract 42.9 and 42.21. */
describe('the check for a callback', () => {
  it.each([
    ['open', after(placed()), 'placed'],
    ['being paid', after(placed(), started), 'placed'],
    ['paid', after(placed(), started, approved), 'approved'],
    ['on its way', after(placed(), started, approved, shipped), 'shipped'],
    ['delivered', after(placed(), started, approved, shipped, delivered), 'delivered'],
  ])('completes for an order that is %s', (_, order, status) => expect(checkForCallback(order, expected())).toEqual(completed(status)));

  it.each([
    ['was cancelled', after(placed(), cancelled), expected(), 'the order was cancelled'],
    ['was removed', after(placed(), cancelled, removed), expected(), 'the order does not exist or was removed'],
    ['has another amount due', after(placed()), expected('90.00'), 'the amount differs from the amount due'],
    ['is priced in another currency', after(placed()), expected('180.00', 'USD'), 'the currency differs from the currency of the order'],
  ])('fails for an order that %s', (_, order, terms, reason) => expect(checkForCallback(order, terms)).toEqual(failed(reason)));

  it('accepts any amount for a pet without a price, as a payment does', () =>
    expect(checkForCallback(after(placed({ petId, quantity: 1 })), expected('5.00', 'USD'))).toEqual(completed('placed', '5.00', 'USD')));
});
