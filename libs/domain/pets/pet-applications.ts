import { rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { AdoptionId, PetId } from '../ids.js';
import type { PetEvent, PetStatus } from './pet.events.js';

/** The maximum number of open applications for one pet (contract 36.3). */
export const MAX_APPLICATIONS = 100;

/** The applications for a pet. */
export type PetApplications = {
  /** Open applications. While there are any, the pet is PENDING. */
  readonly open: readonly AdoptionId[];
  /** The person who sent each open application, by its id. Absent for an application without a token. */
  readonly applicants: Readonly<Record<string, string>>;
  /** Applications to which the pet was given. A repeated command for one of them changes nothing. */
  readonly approved: readonly AdoptionId[];
  /** Applications that held the pet when another one got it. A repeated HoldPetForAdoption for one of them changes nothing. */
  readonly lost: readonly AdoptionId[];
};

export const NO_APPLICATIONS: PetApplications = { open: [], applicants: {}, approved: [], lost: [] };

export type PetApplicationRejection =
  /** The application does not hold the pet, so the pet is not given to it. */
  | 'pet_not_held'
  | 'too_many_applications'
  /** Another open application of the same person holds the pet. */
  | 'already_applied';

type OnApplication = { readonly petId: PetId; readonly adoptionId: AdoptionId };
type NewApplication = OnApplication & {
  /** The subject of the token with which the application was sent. */
  readonly userId?: string;
};
type Pet = { readonly status: PetStatus; readonly applications: PetApplications };
type Decision = readonly PetEvent[] | Rejection<PetApplicationRejection | 'pet_not_available'>;

/** Returns whether the pet was given to this application, even if staff have changed or deleted the pet since. */
export const isApproved = ({ adoptionId }: OnApplication, { approved }: PetApplications): boolean => approved.includes(adoptionId);

/**
 * Lets an application hold the pet. The pet must be AVAILABLE, or other applications must hold it. A person has one open
 * application for a pet (contract 36.3).
 */
export const hold = ({ adoptionId, userId }: NewApplication, { status, applications }: Pet): Decision => {
  const { open, lost } = applications;
  if (open.includes(adoptionId) || lost.includes(adoptionId)) return [];
  if (status !== 'AVAILABLE' && open.length === 0) return rejected('pet_not_available');
  const isPerson = userId !== undefined && !userId.startsWith(PROGRAM);
  if (isPerson && applicationOf(userId, applications) !== undefined) return rejected('already_applied');
  if (open.length >= MAX_APPLICATIONS) return rejected('too_many_applications');
  return [{ type: 'PetHeldForAdoption', data: { adoptionIds: [...open, adoptionId], ...(isPerson && { userId }) } }];
};

/** The subjects of programs begin so. A program may send the applications of many people. */
const PROGRAM = 'client:';

/** Returns the open application of a person. */
export const applicationOf = (userId: string, { open, applicants }: PetApplications): AdoptionId | undefined =>
  open.find((id) => applicants[id] === userId);

/** Returns the applications after the open ones have changed. `userId` is the person who sent the last one, if that is new. */
export const openApplications = (applications: PetApplications, open: readonly AdoptionId[], userId?: string): PetApplications => {
  const newest = open.at(-1);
  const kept = Object.entries(applications.applicants).filter(([id]) => open.some((one) => one === id));
  const added = newest !== undefined && userId !== undefined ? [[newest, userId] as const] : [];
  return { ...applications, open, applicants: Object.fromEntries([...kept, ...added]) };
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
  applicants: {},
  approved: [...approved, adoptionId],
  lost: [...lost, ...open.filter((id) => id !== adoptionId)],
});
