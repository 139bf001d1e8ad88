import { describe, expect, it } from '@jest/globals';
import type { AdoptionEvent } from '../domain/adoptions/adoption.events.js';
import type { PetId } from '../domain/ids.js';
import { foldProjection } from '../eventsourcing/testing/fold-projection.js';
import type { GivenEvent } from '../eventsourcing/testing/recorded.js';
import { adoptionsProjection } from './adoptions.projection.js';

const at = (second: number) => ({ time: `2026-01-02T03:04:0${second}.000Z` });
const petId = 'pet-1' as PetId;
const details = { petId, userId: 'ann', applicant: { name: 'Ann Lee', email: 'ann@example.com' }, message: 'We have a garden.' };

const submitted = { type: 'AdoptionSubmitted', data: details, meta: at(1) } as const;
const started = { type: 'AdoptionApprovalStarted', data: { petId }, meta: at(2) } as const;
const approved = { type: 'AdoptionApproved', data: { petId }, meta: at(3) } as const;
const rejected = { type: 'AdoptionRejected', data: { petId, reason: 'declined' }, meta: at(3) } as const;
const withdrawn = { type: 'AdoptionWithdrawn', data: { petId }, meta: at(3) } as const;
const expired = { type: 'AdoptionExpired', data: { petId }, meta: at(3) } as const;
const erased = { type: 'AdoptionErased', data: {}, meta: at(4) } as const;

const fold = (...events: GivenEvent<AdoptionEvent>[]) => foldProjection(adoptionsProjection, events);
const json = (...events: GivenEvent<AdoptionEvent>[]) => JSON.stringify(fold(...events)?.body);

/** Proves contract 36.1. */
describe('an application in the read model', () => {
  it('has its fields in the documented order', () =>
    expect(json(submitted)).toBe(
      '{"id":"1","petId":"pet-1","userId":"ann","applicant":{"name":"Ann Lee","email":"ann@example.com"},' +
        '"message":"We have a garden.","status":"submitted",' +
        '"createdAt":"2026-01-02T03:04:01.000Z","updatedAt":"2026-01-02T03:04:01.000Z"}',
    ));
  it('has no personal data of the applicant as fields', () =>
    expect(fold({ ...submitted, meta: { ...at(1), tenant: 'acme' } })?.fields).toEqual({
      tenant: 'acme',
      status: 'submitted',
      petId: 'pet-1',
      userId: 'ann',
      submittedAt: at(1).time,
    }));
  it('stays submitted while staff approve it', () => expect(fold(submitted, started)).toEqual(fold(submitted)));
  it.each([
    ['approved', approved],
    ['withdrawn', withdrawn],
    ['expired', expired],
  ] as const)('becomes %s', (status, event) => {
    expect(fold(submitted, event)?.body).toMatchObject({ status, createdAt: at(1).time, updatedAt: at(3).time });
    expect(fold(submitted, event)?.fields).toMatchObject({ status, submittedAt: at(1).time });
  });
  it('becomes rejected, with the reason before the times', () =>
    expect(json(submitted, rejected)).toContain('"status":"rejected","reason":"declined","createdAt"'));
  it('is removed by its erasure, also if staff approve it meanwhile', () => {
    expect(fold(submitted, erased)).toBeNull();
    expect(fold(submitted, started, erased, approved)).toBeNull();
  });
});
