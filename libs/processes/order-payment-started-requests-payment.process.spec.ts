import { describe, it } from '@jest/globals';
import type { OrderId, PaymentId } from '../domain/ids.js';
import type { PaymentTerms } from '../domain/payment-terms.js';
import { processSpecification } from '../eventsourcing/testing/process-specification.js';
import { orderPaymentStartedRequestsPayment } from './order-payment-started-requests-payment.process.js';

const process = processSpecification(orderPaymentStartedRequestsPayment);
const meta = { stream: 'order-0190-1' };
const orderId = '0190-1' as OrderId;
const paymentId = '0190-2' as PaymentId;
const terms: PaymentTerms = {
  amount: '90.00',
  currency: 'EUR',
  source: { object: 'bank_account', name: { $sealed: 'c2VhbGVk', subject: 'payment:0190-2' }, number: '*****6789' },
  reference: 'ref-1',
};

describe('a payment started on an order', () => {
  it('is requested with the same terms and encrypted personal values', () =>
    process
      .given({ type: 'OrderPaymentStarted', data: { paymentId, ...terms }, meta })
      .expect({ type: 'RequestPayment', data: { paymentId, orderId, ...terms } }));
});

describe('a payment that failed', () => {
  it('is not requested again', () =>
    process.given({ type: 'OrderPaymentFailed', data: { paymentId, reason: 'card_declined' }, meta }).expect());
});
