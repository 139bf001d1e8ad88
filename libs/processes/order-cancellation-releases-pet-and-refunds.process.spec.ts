import { describe, it } from '@jest/globals';
import type { OrderId, PaymentId, PetId } from '../domain/ids.js';
import { processSpecification } from '../eventsourcing/testing/process-specification.js';
import { orderCancellationReleasesPetAndRefunds } from './order-cancellation-releases-pet-and-refunds.process.js';

const process = processSpecification(orderCancellationReleasesPetAndRefunds);
const meta = { stream: 'order-0190-1' };
const petId = '0190-3' as PetId;
const paymentId = '0190-2' as PaymentId;
const release = { type: 'ReleasePet', data: { petId, holder: { kind: 'order', id: '0190-1' as OrderId }, to: 'AVAILABLE' } } as const;

describe('a cancelled order', () => {
  it('releases its pet', () => process.given({ type: 'OrderCancelled', data: { reason: 'unpaid', petId }, meta }).expect(release));
  it('refunds its payment', () =>
    process
      .given({ type: 'OrderCancelled', data: { reason: 'requested', petId, paymentId }, meta })
      .expect(release, { type: 'RefundPayment', data: { paymentId } }));
});

describe('an order removed from reads', () => {
  it('causes no command', () => process.given({ type: 'OrderRemoved', data: { petId, status: 'placed' }, meta }).expect());
});
