import type { Message } from '../../eventsourcing/message.js';
import type { AdoptionId, PetId } from '../ids.js';
import type { AdoptionDetails, AdoptionRejectionReason } from './adoption.events.js';

type OnAdoption = { readonly adoptionId: AdoptionId };

export type AdoptionCommand =
  | Message<'SubmitAdoption', OnAdoption & AdoptionDetails>
  /** Staff approve the application. Of several concurrent decisions and withdrawals, only one succeeds. */
  | Message<'StartAdoptionApproval', OnAdoption>
  /** Records that the pet was given to this application. */
  | Message<'ApproveAdoption', OnAdoption>
  /**
   * With the reason `declined`, which staff use, the command is rejected after an approval has started. With the other
   * reasons, which the service uses, the command also ends an approval that has started.
   */
  | Message<'RejectAdoption', OnAdoption & { readonly reason: AdoptionRejectionReason }>
  | Message<'WithdrawAdoption', OnAdoption>
  /** Ends an application that was submitted at or before `submittedBefore` (ISO 8601). */
  | Message<'ExpireAdoption', OnAdoption & { readonly submittedBefore: string }>
  /** Withdraws the application if it is open, and erases the applicant's data. */
  | Message<'EraseAdoption', OnAdoption>;

/** Frees the pet if the application has ended but still holds the pet. In any other case, changes nothing. */
export type FreePetIfEnded = Message<'FreePetIfEnded', OnAdoption & { readonly petId: PetId }>;

/** Destroys the key of an erased application's applicant. */
export type ForgetApplicant = Message<'ForgetApplicant', OnAdoption>;
