import { describe, it } from '@jest/globals';
import type { OrderId, PaymentId, PetId } from '../domain/ids.js';
import { processSpecification } from '../eventsourcing/testing/process-specification.js';
import { orderApprovalAdoptsPet } from './order-approval-adopts-pet.process.js';

const process = processSpecification(orderApprovalAdoptsPet);
const meta = { stream: 'order-0190-1' };
const petId = '0190-3' as PetId;

describe('an approved order', () => {
  it('adopts the pet that is reserved for it', () =>
    process
      .given({ type: 'OrderApproved', data: { petId, paymentId: '0190-2' as PaymentId }, meta })
      .expect({ type: 'AdoptPet', data: { petId, holder: { kind: 'order', id: '0190-1' as OrderId } } }));
});

describe('an order that is only placed', () => {
  it('adopts no pet', () => process.given({ type: 'OrderPlaced', data: { petId, quantity: 1 }, meta }).expect());
});
