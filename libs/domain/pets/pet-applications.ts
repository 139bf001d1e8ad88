import { rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { AdoptionId, PetId } from '../ids.js';
import type { PetEvent, PetStatus } from './pet.events.js';

/** The maximum number of open applications for one pet (contract 36.3). */
export const MAX_APPLICATIONS = 100;

/** The applications for a pet. */
export type PetApplications = {
  /** Open applications. While there are any, the pet is PENDING. */
  readonly open: readonly AdoptionId[];
  /** Applications to which the pet was given. A repeated command for one of them changes nothing. */
  readonly approved: readonly AdoptionId[];
  /** Applications that held the pet when another one got it. A repeated HoldPetForAdoption for one of them changes nothing. */
  readonly lost: readonly AdoptionId[];
};

export const NO_APPLICATIONS: PetApplications = { open: [], approved: [], lost: [] };

export type PetApplicationRejection =
  /** The application does not hold the pet, so the pet is not given to it. */
  'pet_not_held' | 'too_many_applications';

type OnApplication = { readonly petId: PetId; readonly adoptionId: AdoptionId };
type Pet = { readonly status: PetStatus; readonly applications: PetApplications };
type Decision = readonly PetEvent[] | Rejection<PetApplicationRejection | 'pet_not_available'>;

/** Returns whether the pet was given to this application, even if staff have changed or deleted the pet since. */
export const isApproved = ({ adoptionId }: OnApplication, { approved }: PetApplications): boolean => approved.includes(adoptionId);

/** Lets an application hold the pet. The pet must be AVAILABLE, or other applications must hold it (contract 36.3). */
export const hold = ({ adoptionId }: OnApplication, { status, applications: { open, lost } }: Pet): Decision => {
  if (open.includes(adoptionId) || lost.includes(adoptionId)) return [];
  if (status !== 'AVAILABLE' && open.length === 0) return rejected('pet_not_available');
  if (open.length >= MAX_APPLICATIONS) return rejected('too_many_applications');
  return [{ type: 'PetHeldForAdoption', data: { adoptionIds: [...open, adoptionId] } }];
};

/** Ends the hold of one application. If no other application holds the pet, the pet is free again. */
export const free = ({ adoptionId }: OnApplication, { applications: { open } }: Pet): readonly PetEvent[] => {
  if (!open.includes(adoptionId)) return [];
  const others = open.filter((id) => id !== adoptionId);
  return [others.length > 0 ? { type: 'PetHeldForAdoption', data: { adoptionIds: others } } : { type: 'PetFreedFromAdoption', data: {} }];
};

/** Gives the pet to one of the applications that hold it. Of concurrent approvals, only one succeeds (contract 36.5). */
export const adoptByApplication = (application: OnApplication, applications: PetApplications): Decision => {
  const { adoptionId } = application;
  const { open } = applications;
  if (isApproved(application, applications)) return [];
  if (!open.includes(adoptionId)) return rejected('pet_not_held');
  return [{ type: 'PetAdoptedByApplication', data: { adoptionId, otherIds: open.filter((id) => id !== adoptionId) } }];
};

/** Returns the applications after the pet was given to one of them. All other open applications have lost the pet. */
export const approvedApplications = ({ open, approved, lost }: PetApplications, adoptionId: AdoptionId): PetApplications => ({
  open: [],
  approved: [...approved, adoptionId],
  lost: [...lost, ...open.filter((id) => id !== adoptionId)],
});
