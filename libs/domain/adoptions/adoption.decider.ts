import { rejected, type Decider, type Rejection } from '../../eventsourcing/decider.js';
import { unreachable, type EventMeta, type Message } from '../../eventsourcing/message.js';
import type { PetId, AdoptionId } from '../ids.js';
import type { AdoptionEvent, AdoptionRejectionReason, AdoptionStatus, AdoptionDetails } from './adoption.events.js';

type OnAdoption = { readonly adoptionId: AdoptionId };

export type AdoptionCommand =
  | Message<'CreateAdoption', OnAdoption & AdoptionDetails>
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
  | Message<'DeleteAdoption', OnAdoption>;

/** Frees the pet if the application has ended but still holds the pet. In any other case, changes nothing. */
export type FreePetIfEnded = Message<'FreePetIfEnded', OnAdoption & { readonly petId: PetId }>;

/** Destroys the key of an erased application's applicant. */
export type ForgetApplicant = Message<'ForgetApplicant', OnAdoption>;

/** A submitted application. Its state contains no personal data: only the event AdoptionSubmitted does. */
export type ExistingAdoption = {
  readonly status: AdoptionStatus;
  readonly tenant: string;
  readonly petId: PetId;
  readonly submittedAt: string;
  /** Whether staff have approved the application, but the pet is not given to it yet. */
  readonly isApproving: boolean;
  readonly isErased: boolean;
  /** Present once the application is rejected. */
  readonly rejectionReason?: AdoptionRejectionReason;
};

export type AdoptionState = { readonly status: 'unsubmitted'; readonly tenant: null } | ExistingAdoption;

export type AdoptionRejection =
  | 'adoption_exists'
  | 'adoption_not_found'
  /** The application is approved, rejected, withdrawn or expired, or its approval has started. */
  | 'adoption_decided';

type Decision = readonly AdoptionEvent[] | Rejection<AdoptionRejection>;

const decide = (command: AdoptionCommand, adoption: AdoptionState): Decision => {
  if (command.type === 'CreateAdoption') return create(command.data, adoption);
  if (adoption.status === 'unsubmitted' || (adoption.isErased && isRequested(command))) return rejected('adoption_not_found');
  const { petId } = adoption;
  switch (command.type) {
    case 'StartAdoptionApproval':
      return isOpen(adoption) ? [{ type: 'AdoptionApprovalStarted', data: { petId } }] : rejected('adoption_decided');
    case 'ApproveAdoption':
      return approve(adoption);
    case 'RejectAdoption':
      return reject(command.data, adoption);
    case 'WithdrawAdoption':
      return isOpen(adoption) ? [{ type: 'AdoptionWithdrawn', data: { petId } }] : rejected('adoption_decided');
    case 'ExpireAdoption':
      return expire(command.data, adoption);
    case 'DeleteAdoption':
      return remove(adoption);
    default:
      return unreachable(command);
  }
};

type CommandData<T extends AdoptionCommand['type']> = Extract<AdoptionCommand, { type: T }>['data'];

/**
 * Returns whether a person requests the command. People cannot find an erased application (contract 36.8). Domain processes still
 * complete its approval.
 */
const isRequested = (command: AdoptionCommand): boolean => {
  const { type } = command;
  if (type === 'RejectAdoption') return command.data.reason === 'declined';
  return type === 'StartAdoptionApproval' || type === 'WithdrawAdoption' || type === 'DeleteAdoption';
};

const isOpen = ({ status, isApproving }: ExistingAdoption): boolean => status === 'submitted' && !isApproving;

const create = ({ adoptionId: _, ...details }: CommandData<'CreateAdoption'>, { status }: AdoptionState): Decision =>
  status === 'unsubmitted' ? [{ type: 'AdoptionSubmitted', data: details }] : rejected('adoption_exists');

/** A repeated command changes nothing: the HTTP request and the process pet-adoption-decides-applications both send it. */
const approve = ({ status, petId }: ExistingAdoption): Decision => {
  if (status === 'approved') return [];
  return status === 'submitted' ? [{ type: 'AdoptionApproved', data: { petId } }] : rejected('adoption_decided');
};

const reject = ({ reason }: CommandData<'RejectAdoption'>, adoption: ExistingAdoption): Decision => {
  const canReject = reason === 'declined' ? isOpen(adoption) : adoption.status === 'submitted';
  return canReject ? [{ type: 'AdoptionRejected', data: { petId: adoption.petId, reason } }] : rejected('adoption_decided');
};

/** Both times are ISO 8601 in UTC with milliseconds, so a comparison of the texts compares the times. */
const expire = ({ submittedBefore }: CommandData<'ExpireAdoption'>, adoption: ExistingAdoption): Decision =>
  isOpen(adoption) && adoption.submittedAt <= submittedBefore ? [{ type: 'AdoptionExpired', data: { petId: adoption.petId } }] : [];

/** Nobody can decide an erased application, so an open application is withdrawn first (contract 36.8). */
const remove = (adoption: ExistingAdoption): Decision => {
  const erased = { type: 'AdoptionErased', data: {} } as const;
  return isOpen(adoption) ? [{ type: 'AdoptionWithdrawn', data: { petId: adoption.petId } }, erased] : [erased];
};

const evolve = (adoption: AdoptionState, event: AdoptionEvent, { tenant, time }: EventMeta): AdoptionState => {
  if (event.type === 'AdoptionSubmitted') {
    const { petId } = event.data;
    return { status: 'submitted', tenant, petId, submittedAt: time, isApproving: false, isErased: false };
  }
  if (adoption.status === 'unsubmitted') return adoption;
  switch (event.type) {
    case 'AdoptionApprovalStarted':
      return { ...adoption, isApproving: true };
    case 'AdoptionApproved':
      return { ...adoption, status: 'approved', isApproving: false };
    case 'AdoptionRejected':
      return { ...adoption, status: 'rejected', isApproving: false, rejectionReason: event.data.reason };
    case 'AdoptionWithdrawn':
      return { ...adoption, status: 'withdrawn' };
    case 'AdoptionExpired':
      return { ...adoption, status: 'expired' };
    case 'AdoptionErased':
      return { ...adoption, isErased: true };
    default:
      return unreachable(event);
  }
};

/** Decides what can happen to an application, from submission to its decision and erasure (contract 36.4). */
export const adoptionDecider: Decider<AdoptionState, AdoptionCommand, AdoptionEvent, AdoptionRejection> = {
  initial: { status: 'unsubmitted', tenant: null },
  decide,
  evolve,
};
