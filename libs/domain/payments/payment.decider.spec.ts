import { describe, expect, it } from '@jest/globals';
import { recorded } from '../../eventsourcing/testing/recorded.js';
import { specification } from '../../eventsourcing/testing/specification.js';
import type { OrderId, PaymentId } from '../ids.js';
import type { PaymentTerms } from '../payment-terms.js';
import type { PaymentEvent } from './payment.events.js';
import { paymentDecider, checkRefundable, type PaymentState } from './payment.decider.js';

const payment = specification(paymentDecider);
const orderId = 'order-1' as OrderId;
const paymentId = 'payment-1' as PaymentId;
const terms: PaymentTerms = {
  amount: '90.00',
  currency: 'EUR',
  source: { object: 'bank_account', number: '*****6789', sortCode: { $sealed: 'c2VhbGVk', subject: 'payment:payment-1' } },
  reference: 'ref-1',
};

const requested = { type: 'PaymentRequested', data: { orderId, ...terms } } as const;
const succeeded = { type: 'PaymentSucceeded', data: { orderId } } as const;
const failed = { type: 'PaymentFailed', data: { orderId, reason: 'card_declined' } } as const;
const refunded = { type: 'PaymentRefunded', data: { orderId } } as const;

const request = { type: 'CreatePayment', data: { paymentId, orderId, ...terms } } as const;
const succeed = { type: 'SettlePayment', data: { paymentId, outcome: { status: 'succeeded' } } } as const;
const fail = { type: 'SettlePayment', data: { paymentId, outcome: { status: 'failed', reason: 'card_declined' } } } as const;
const refund = { type: 'RecordRefund', data: { paymentId } } as const;

describe('requesting a payment', () => {
  it('is recorded with its terms', () => payment.given().when(request).then(requested));
  it('changes nothing the second time', () => payment.given(requested).when(request).thenNothing());
  it('changes nothing once it is settled', () => payment.given(requested, failed).when(request).thenNothing());
  it('is rejected for another order', () =>
    payment
      .given(requested)
      .when({ type: 'CreatePayment', data: { ...request.data, orderId: 'order-2' as OrderId } })
      .thenRejected('payment_exists'));
});

describe('settling a payment', () => {
  it('records success', () => payment.given(requested).when(succeed).then(succeeded));
  it('records failure and its reason', () => payment.given(requested).when(fail).then(failed));
  it.each([
    ['succeeded', [requested, succeeded]],
    ['failed', [requested, failed]],
    ['been refunded', [requested, succeeded, refunded]],
  ])('changes nothing once it has %s', (_, events) => {
    payment
      .given(...events)
      .when(succeed)
      .thenNothing();
    payment
      .given(...events)
      .when(fail)
      .thenNothing();
  });
  it('is rejected for an unknown payment', () => payment.given().when(succeed).thenRejected('payment_not_found'));
});

describe('refunding a payment', () => {
  it('is recorded once it has succeeded', () => payment.given(requested, succeeded).when(refund).then(refunded));
  it.each([
    ['still processing', [requested]],
    ['failed', [requested, failed]],
    ['refunded already', [requested, succeeded, refunded]],
  ])('changes nothing when it is %s', (_, events) =>
    payment
      .given(...events)
      .when(refund)
      .thenNothing(),
  );
  it('is rejected for an unknown payment', () => payment.given().when(refund).thenRejected('payment_not_found'));
});

describe('requesting a refund', () => {
  const after = (...events: readonly PaymentEvent[]): PaymentState =>
    recorded(events, 'payment-1').reduce((state, event) => paymentDecider.evolve(state, event, event.meta), paymentDecider.initial);

  it('is accepted once the payment has succeeded', () => expect(checkRefundable(after(requested, succeeded))).toBeNull());

  it.each([
    ['that was never requested', after()],
    ['that is processing', after(requested)],
    ['that has failed', after(requested, failed)],
    ['that was refunded', after(requested, succeeded, refunded)],
  ])('is rejected for a payment %s', (_, state) => expect(checkRefundable(state)).toEqual({ rejected: 'payment_not_refundable' }));
});

describe('a payment’s state', () => {
  const tenant = '0190f5de-0000-7000-8000-000000000001';

  it('has no tenant before the payment is requested', () => expect(payment.given().state.tenant).toBeNull());
  it('contains the tenant and all that a charge needs, but no data of the payer', () =>
    expect(payment.given({ ...requested, meta: { tenant } }, succeeded).state).toEqual({
      status: 'succeeded',
      tenant,
      orderId,
      amount: '90.00',
      currency: 'EUR',
      reference: 'ref-1',
    }));
});
