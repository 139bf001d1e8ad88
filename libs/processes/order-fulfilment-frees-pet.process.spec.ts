import { describe, it } from '@jest/globals';
import type { OrderId, PetId } from '../domain/ids.js';
import { processSpecification } from '../eventsourcing/testing/process-specification.js';
import { orderFulfilmentFreesPet } from './order-fulfilment-frees-pet.process.js';

const process = processSpecification(orderFulfilmentFreesPet);
const meta = { stream: 'order-0190-1' };
const petId = '0190-3' as PetId;
const release = { type: 'ReleasePet', data: { petId, holder: { kind: 'order', id: '0190-1' as OrderId }, to: 'ADOPTED' } } as const;

describe('a delivered order', () => {
  it('releases its pet, which stays ADOPTED', () => process.given({ type: 'OrderDelivered', data: { petId }, meta }).expect(release));
});

describe('a removed order', () => {
  it('releases its pet when it was shipped', () =>
    process.given({ type: 'OrderRemoved', data: { petId, status: 'shipped' }, meta }).expect(release));
  it.each(['placed', 'approved', 'delivered', 'cancelled'] as const)('causes no command when it was %s', (status) =>
    process.given({ type: 'OrderRemoved', data: { petId, status }, meta }).expect(),
  );
});
