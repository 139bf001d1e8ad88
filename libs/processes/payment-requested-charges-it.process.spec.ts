import { describe, it } from '@jest/globals';
import type { OrderId, PaymentId } from '../domain/ids.js';
import { processSpecification } from '../eventsourcing/testing/process-specification.js';
import { paymentRequestedChargesIt } from './payment-requested-charges-it.process.js';

const process = processSpecification(paymentRequestedChargesIt);
const meta = { stream: 'payment-0190-2' };
const orderId = '0190-1' as OrderId;

describe('a requested payment', () => {
  it('is charged', () =>
    process
      .given({
        type: 'PaymentRequested',
        data: { orderId, amount: '90.00', currency: 'EUR', source: { object: 'bank_account', number: '*****6789' }, reference: 'ref-1' },
        meta,
      })
      .expect({ type: 'ChargePayment', data: { paymentId: '0190-2' as PaymentId } }));
});

describe('a settled payment', () => {
  it('is not charged again', () =>
    process
      .given(
        { type: 'PaymentSucceeded', data: { orderId }, meta },
        { type: 'PaymentFailed', data: { orderId, reason: 'card_declined' }, meta },
      )
      .expect());
});
