import { describe, it } from '@jest/globals';
import type { OrderId, PetId } from '../domain/ids.js';
import { processSpecification } from '../eventsourcing/testing/process-specification.js';
import { petReservedPlacesOrder } from './pet-reserved-places-order.process.js';

const process = processSpecification(petReservedPlacesOrder);
const meta = { stream: 'pet-0190-1' };
const petId = '0190-1' as PetId;
const orderId = '0190-2' as OrderId;
const holder = { kind: 'order', id: orderId } as const;
const otherwise = { type: 'ReleasePet', data: { petId, holder, to: 'AVAILABLE' } } as const;

describe('a reserved pet', () => {
  it('has its order placed with all that was reserved, and is released if that is refused', () => {
    const terms = { quantity: 2, userId: 'alice', shipDate: '2026-02-01', unitPrice: '45.00', currency: 'EUR' };
    process
      .given({ type: 'PetReserved', data: { holder, ...terms }, meta })
      .expect({ type: 'PlaceOrder', data: { orderId, petId, ...terms }, otherwise });
  });
  it('has its order placed when nothing but a quantity was asked for', () =>
    process
      .given({ type: 'PetReserved', data: { holder, quantity: 1 }, meta })
      .expect({ type: 'PlaceOrder', data: { orderId, petId, quantity: 1 }, otherwise }));
});

describe('a pet that is released or adopted', () => {
  it('asks for nothing', () =>
    process
      .given(
        { type: 'PetReleased', data: { holder, from: 'PENDING', to: 'AVAILABLE' }, meta },
        { type: 'PetAdopted', data: { holder }, meta },
      )
      .expect());
});
