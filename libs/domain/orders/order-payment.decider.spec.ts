import { describe, it } from '@jest/globals';
import type { GivenEvent } from '../../eventsourcing/testing/recorded.js';
import {
  order,
  terms,
  orderId,
  paymentId,
  otherPaymentId,
  placed,
  placedUnpriced,
  started,
  paymentFailed,
  approved,
  cancelled,
  removed,
  toPlaced,
  toApproved,
  toShipped,
  toDelivered,
  toCancelled,
  toRemoved,
  pay,
  failPayment,
  approve,
} from './order.fixtures.js';
import type { UserId } from '../ids.js';
import type { OrderEvent } from './order.events.js';

const account = '01a0e5b0-0000-7000-8000-000000000007' as UserId;

describe('paying an order', () => {
  it('records the payment with the amount due', () => order.given(placed).when(pay()).then(started));
  it('names the account that placed the order, also if another caller pays (contract 30.6)', () => {
    const byAccount = { ...placed, meta: { actor: account } };
    order
      .given(byAccount)
      .when(pay())
      .then({ ...started, data: { ...started.data, payer: account } });
  });
  it('names no account if the caller that placed the order had none', () =>
    order
      .given({ ...placed, meta: { actor: 'an-operator' } })
      .when(pay())
      .then(started));
  it('changes nothing while this payment is processing', () => order.given(placed, started).when(pay()).thenNothing());
  it('changes nothing once this payment has failed', () => order.given(placed, started, paymentFailed).when(pay()).thenNothing());
  it('changes nothing once this payment has succeeded', () =>
    order
      .given(...toApproved)
      .when(pay())
      .thenNothing());
  it('is rejected for a card that has expired', () =>
    order
      .given(placed)
      .when(pay({ today: '2031-01-01' }))
      .thenRejected('card_expired'));
  it('changes nothing for a payment that was started before its card expired', () =>
    order
      .given(placed, started)
      .when(pay({ today: '2031-01-01' }))
      .thenNothing());
  it('is rejected while another payment is processing', () =>
    order
      .given(placed, started)
      .when(pay({ paymentId: otherPaymentId }))
      .thenRejected('payment_processing'));
  it('can be retried after a failure', () =>
    order
      .given(placed, started, paymentFailed)
      .when(pay({ paymentId: otherPaymentId }))
      .then({ type: 'OrderPaymentStarted', data: { paymentId: otherPaymentId, ...terms } }));
  it.each([
    ['approved', toApproved],
    ['shipped', toShipped],
    ['delivered', toDelivered],
    ['cancelled', toCancelled],
  ])('is rejected when the order is %s', (_, events) =>
    order
      .given(...events)
      .when(pay({ paymentId: otherPaymentId }))
      .thenRejected('order_not_payable'),
  );
  it('is rejected for an order that was never placed', () => order.given().when(pay()).thenRejected('order_not_found'));
  it('is rejected for a removed order', () =>
    order
      .given(...toRemoved)
      .when(pay())
      .thenRejected('order_not_found'));
  it('is rejected when the amount differs by a cent', () => {
    order
      .given(placed)
      .when(pay({ amount: '89.99' }))
      .thenRejected('payment_mismatch', ['amount']);
    order
      .given(placed)
      .when(pay({ amount: '90.01' }))
      .thenRejected('payment_mismatch', ['amount']);
  });
  it('is rejected in another currency than the order’s', () =>
    order
      .given(placed)
      .when(pay({ currency: 'USD' }))
      .thenRejected('payment_mismatch', ['currency']));
  it('is rejected with the names of all fields that do not match', () =>
    order
      .given(placed)
      .when(pay({ amount: '1.00', currency: 'USD' }))
      .thenRejected('payment_mismatch', ['amount', 'currency']));
  it('is rejected when the amount is not decimal text', () =>
    order
      .given(placed)
      .when(pay({ amount: '9000' }))
      .thenRejected('payment_mismatch', ['amount']));
  it('accepts any amount for a pet without a price', () =>
    order
      .given(placedUnpriced)
      .when(pay({ amount: '1.23', currency: 'CHF' }))
      .then({ type: 'OrderPaymentStarted', data: { ...started.data, amount: '1.23', currency: 'CHF' } }));
});

describe('a payment that fails', () => {
  it('is recorded', () => order.given(placed, started).when(failPayment).then(paymentFailed));
  it('changes nothing the second time', () => order.given(placed, started, paymentFailed).when(failPayment).thenNothing());
  it('changes nothing once a later payment has started', () =>
    order
      .given(placed, started, paymentFailed, { type: 'OrderPaymentStarted', data: { paymentId: otherPaymentId, ...terms } })
      .when(failPayment)
      .thenNothing());
  it.each([
    ['unknown', []],
    ['approved', toApproved],
    ['cancelled', toCancelled],
    ['removed', toRemoved],
  ])('changes nothing when the order is %s', (_, events) =>
    order
      .given(...events)
      .when(failPayment)
      .thenNothing(),
  );
});

describe('approving an order', () => {
  it('is recorded for the payment that is processing', () => order.given(placed, started).when(approve).then(approved));
  it.each([
    ['approved', toApproved],
    ['shipped', toShipped],
    ['delivered', toDelivered],
    ['removed after shipping', [...toShipped, removed('shipped')]],
    ['removed after delivery', [...toDelivered, removed('delivered')]],
  ])('changes nothing when the order is already %s and was paid by this payment', (_, events) =>
    order
      .given(...events)
      .when(approve)
      .thenNothing(),
  );
  it.each([
    ['unknown', []],
    ['cancelled while the payment was processing', [placed, started, cancelled(paymentId)]],
    ['cancelled and removed while the payment was processing', [placed, started, cancelled(paymentId), removed('placed')]],
    ['approved by this payment, then cancelled and removed', [...toApproved, cancelled(paymentId), removed('approved')]],
    ['without a payment in process', toPlaced],
    ['waiting for another payment after this one failed', [placed, started, paymentFailed]],
  ])('is rejected when the order is %s', (_, events: GivenEvent<OrderEvent>[]) =>
    order
      .given(...events)
      .when(approve)
      .thenRejected('order_not_open'),
  );
  it('is rejected when another payment has approved it', () =>
    order
      .given(...toApproved)
      .when({ type: 'ApproveOrder', data: { orderId, paymentId: otherPaymentId } })
      .thenRejected('order_not_open'));
});

describe('recording a refund', () => {
  const record = { type: 'RecordOrderRefund', data: { orderId, paymentId } } as const;
  const refunded = { type: 'OrderPaymentRefunded', data: { paymentId } } as const;

  it.each([
    ['cancelled', toCancelled],
    ['removed', toRemoved],
    ['approved', toApproved],
  ])('is possible once an order is %s, and changes nothing the second time', (_, events: GivenEvent<OrderEvent>[]) => {
    order
      .given(...events)
      .when(record)
      .then(refunded);
    order
      .given(...events, refunded)
      .when(record)
      .thenNothing();
  });
  it('changes nothing before the order is placed', () => order.given().when(record).thenNothing());
});
