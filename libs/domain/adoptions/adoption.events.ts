import type { Message } from '../../eventsourcing/message.js';
import type { Personal } from '../../eventsourcing/sealed.js';
import type { PetId } from '../ids.js';

export const ADOPTION_STATUSES = ['submitted', 'approved', 'rejected', 'withdrawn', 'expired'] as const;
export type AdoptionStatus = (typeof ADOPTION_STATUSES)[number];

/**
 * `declined`: staff rejected the application. `pet_adopted`: another application was approved. `pet_not_available`: an
 * order or another application got the pet first (contract 36.4).
 */
export const ADOPTION_REJECTION_REASONS = ['declined', 'pet_adopted', 'pet_not_available'] as const;
export type AdoptionRejectionReason = (typeof ADOPTION_REJECTION_REASONS)[number];

/**
 * The person who applies. The values are encrypted with a key of this one application. If `userId` is an account, they
 * are also encrypted with the key of that account (contract 36.2).
 */
export type Applicant = { readonly name: Personal; readonly email: Personal; readonly phone?: Personal };

export type AdoptionDetails = {
  readonly petId: PetId;
  /** The subject of the token with which the application was sent. */
  readonly userId?: string;
  /** Absent if the token alone says who applies. */
  readonly applicant?: Applicant;
  readonly message?: Personal;
};

export type AdoptionEvent =
  | Message<'AdoptionSubmitted', AdoptionDetails>
  /**
   * Staff approved the application, but the pet is not given to it yet. Until AdoptionApproved or AdoptionRejected
   * follows, staff cannot decide the application, nobody can withdraw it, and it does not expire.
   */
  | Message<'AdoptionApprovalStarted', { readonly petId: PetId }>
  | Message<'AdoptionApproved', { readonly petId: PetId }>
  | Message<'AdoptionRejected', { readonly petId: PetId; readonly reason: AdoptionRejectionReason }>
  | Message<'AdoptionWithdrawn', { readonly petId: PetId }>
  | Message<'AdoptionExpired', { readonly petId: PetId }>
  /** The key of the applicant's data is destroyed after this event. The record is kept. */
  | Message<'AdoptionErased', Readonly<Record<string, never>>>;

/** The paths of the personal values in the data of AdoptionSubmitted. */
export const PERSONAL_IN_ADOPTION = ['applicant.name', 'applicant.email', 'applicant.phone', 'message'] as const;
