import { describe, it } from '@jest/globals';
import type { OrderId, PaymentId } from '../domain/ids.js';
import { processSpecification } from '../eventsourcing/testing/process-specification.js';
import { paymentApprovesOrder, paymentRefundShowsOnOrder } from './payment-approves-order.process.js';

const process = processSpecification(paymentApprovesOrder);
const meta = { stream: 'payment-0190-2' };
const orderId = '0190-1' as OrderId;
const paymentId = '0190-2' as PaymentId;

describe('a payment that succeeded', () => {
  it('approves its order, or is refunded when the order is closed', () =>
    process.given({ type: 'PaymentSucceeded', data: { orderId }, meta }).expect({
      type: 'ApproveOrder',
      data: { orderId, paymentId },
      otherwise: { type: 'RefundPayment', data: { paymentId } },
    }));
});

describe('a payment that failed', () => {
  it('is recorded on its order, which can then be paid again', () =>
    process
      .given({ type: 'PaymentFailed', data: { orderId, reason: 'card_declined' }, meta })
      .expect({ type: 'FailOrderPayment', data: { orderId, paymentId, reason: 'card_declined' } }));
});

describe('a refunded payment', () => {
  const refunded = { type: 'PaymentRefunded', data: { orderId }, meta } as const;

  it('causes no command', () => process.given(refunded).expect());

  it('is recorded on its order', () =>
    processSpecification(paymentRefundShowsOnOrder).given(refunded).expect({ type: 'RecordOrderRefund', data: { orderId, paymentId } }));
});
