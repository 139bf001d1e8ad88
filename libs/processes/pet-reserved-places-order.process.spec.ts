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

describe('the process of a reserved pet', () => {
  it('places the order with all reserved terms, and releases the pet if the order is rejected', () => {
    const terms = { quantity: 2, userId: 'alice', shipDate: '2026-02-01', unitPrice: '45.00', currency: 'EUR' };
    process
      .given({ type: 'PetReserved', data: { holder, ...terms }, meta })
      .expect({ type: 'PlaceOrder', data: { orderId, petId, ...terms }, otherwise });
  });
  it('places the order even if only a quantity was requested', () =>
    process
      .given({ type: 'PetReserved', data: { holder, quantity: 1 }, meta })
      .expect({ type: 'PlaceOrder', data: { orderId, petId, quantity: 1 }, otherwise }));
});

describe('the process of a released or adopted pet', () => {
  it('sends no command', () =>
    process
      .given(
        { type: 'PetReleased', data: { holder, from: 'PENDING', to: 'AVAILABLE' }, meta },
        { type: 'PetAdopted', data: { holder }, meta },
      )
      .expect());
});
