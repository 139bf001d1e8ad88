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
const asked = (amount = '180.00', currency = 'EUR') => ({ amount, currency });
const completed = (orderStatus: string, amountDue = '180.00', currency = 'EUR') => ({
  status: 'COMPLETED',
  result: { orderStatus, amountDue, currency },
});
const failed = (reason: string) => ({ status: 'FAILED', result: { reason } });

describe('the check of an order for a callback', () => {
  it.each([
    ['open', after(placed()), 'placed'],
    ['being paid', after(placed(), started), 'placed'],
    ['paid', after(placed(), started, approved), 'approved'],
    ['on its way', after(placed(), started, approved, shipped), 'shipped'],
    ['delivered', after(placed(), started, approved, shipped, delivered), 'delivered'],
  ])('of one that is %s is completed', (_, order, status) => expect(checkForCallback(order, asked())).toEqual(completed(status)));

  it.each([
    ['cancelled', after(placed(), cancelled), asked(), 'the order was cancelled'],
    ['removed', after(placed(), cancelled, removed), asked(), 'there is no such order any more'],
    ['of another amount', after(placed()), asked('90.00'), 'the amount is not what is due'],
    ['in another currency', after(placed()), asked('180.00', 'USD'), 'the currency is not that of the order'],
  ])('of one that is %s has failed', (_, order, wish, reason) => expect(checkForCallback(order, wish)).toEqual(failed(reason)));

  it('of a pet without a price takes any amount, as a payment does', () =>
    expect(checkForCallback(after(placed({ petId, quantity: 1 })), asked('5.00', 'USD'))).toEqual(completed('placed', '5.00', 'USD')));
});
