import { describe, it } from '@jest/globals';
import type { AdoptionId, PetId } from '../../domain/ids.js';
import { processSpecification } from '../../eventsourcing/testing/process-specification.js';
import { adoptionEndFreesPet } from './adoption-end-frees-pet.process.js';

const process = processSpecification(adoptionEndFreesPet);
const meta = { stream: 'adoption-0190-4' };
const petId = '0190-1' as PetId;
const free = { type: 'FreePetFromAdoption', data: { petId, adoptionId: '0190-4' as AdoptionId } } as const;

describe('an application that ended', () => {
  it('frees its pet when it was rejected', () =>
    process.given({ type: 'AdoptionRejected', data: { petId, reason: 'declined' }, meta }).expect(free));
  it('frees its pet when it was withdrawn', () => process.given({ type: 'AdoptionWithdrawn', data: { petId }, meta }).expect(free));
  it('frees its pet when it expired', () => process.given({ type: 'AdoptionExpired', data: { petId }, meta }).expect(free));
});

describe('an approved application', () => {
  it('keeps its pet', () => process.given({ type: 'AdoptionApproved', data: { petId }, meta }).expect());
});
