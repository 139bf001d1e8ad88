import type { AdoptionEvent } from '../../domain/adoptions/adoption.events.js';
import { emptyMessage, messageContract, messageSpec } from '../message-contract.js';
import { constantValue, id, object, text } from '../message-schema.js';

const adoptionId = id('The application', '01a0e5b0-0000-7000-8000-000000000009');
const petId = id('The pet that the application is for', '01a0e5b0-0000-7000-8000-000000000001');

/**
 * The public messages of adoption applications. They omit the applicant, the text that the applicant wrote, and the id of the
 * user (contract 22.5).
 */
export const adoptionMessages = messageContract<AdoptionEvent>('adoption', 'adoptions', {
  AdoptionSubmitted: messageSpec(
    'Somebody applied for a pet.',
    object({ adoptionId, petId, status: constantValue('submitted', 'The status of the application') }),
    ({ petId }, adoptionId) => ({ adoptionId, petId, status: 'submitted' }),
  ),
  AdoptionApprovalStarted: emptyMessage('Staff approved the application. The next message says whether the application gets the pet.'),
  AdoptionApproved: messageSpec(
    'The application was approved, and the pet is adopted.',
    object({ adoptionId, petId, status: constantValue('approved', 'The status of the application') }),
    ({ petId }, adoptionId) => ({ adoptionId, petId, status: 'approved' }),
  ),
  AdoptionRejected: messageSpec(
    'The application was rejected.',
    object({
      adoptionId,
      petId,
      status: constantValue('rejected', 'The status of the application'),
      reason: text(
        '`declined`: staff rejected the application. `pet_adopted`: another application was approved. `pet_not_available`: an order or another application got the pet first. Other values may be added',
        'declined',
        'pet_adopted',
      ),
    }),
    ({ petId, reason }, adoptionId) => ({ adoptionId, petId, status: 'rejected', reason }),
  ),
  AdoptionWithdrawn: messageSpec(
    'The application was withdrawn.',
    object({ adoptionId, petId, status: constantValue('withdrawn', 'The status of the application') }),
    ({ petId }, adoptionId) => ({ adoptionId, petId, status: 'withdrawn' }),
  ),
  AdoptionExpired: messageSpec(
    'The application expired, because nobody decided it in time.',
    object({ adoptionId, petId, status: constantValue('expired', 'The status of the application') }),
    ({ petId }, adoptionId) => ({ adoptionId, petId, status: 'expired' }),
  ),
  AdoptionErased: messageSpec(
    'The applicant’s data were erased. The record of the application is kept.',
    object({ adoptionId, erased: constantValue(true, 'The data are erased') }),
    (_, adoptionId) => ({ adoptionId, erased: true }),
  ),
});
