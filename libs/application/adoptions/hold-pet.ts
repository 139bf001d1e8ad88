import type { AdoptionState } from '../../domain/adoptions/adoption.decider.js';
import type { AdoptionId, PetId } from '../../domain/ids.js';
import { applicationOf } from '../../domain/pets/pet-applications.js';
import type { PetRejection } from '../../domain/pets/pet.decider.js';
import { isRejection, rejected, rejectionIn, type Rejection } from '../../eventsourcing/decider.js';
import type { Aggregates } from '../../eventsourcing/aggregates.js';
import type { CommandContext } from '../../eventsourcing/message.js';
import { ADOPTIONS, PETS } from '../aggregates.js';

/** An application for a pet. `userId` is the subject of the token with which it was sent. */
export type Application = { readonly petId: PetId; readonly adoptionId: AdoptionId; readonly userId?: string };

/**
 * Lets an open application hold its pet. Returns null, or why the pet rejects the application.
 *
 * The request and the domain process adoption-submitted-holds-pet both call this, so the application may have ended already. In
 * that case, this changes nothing. If the application was rejected because it never got its pet, returns the pet's reason, so
 * that the request can report that reason. For any other ended application, returns null.
 */
export const holdPet = async (
  aggregates: Aggregates,
  application: Application,
  context: CommandContext,
): Promise<Rejection<PetRejection | 'precondition_failed' | 'contended'> | null> => {
  const { state } = await aggregates.load(ADOPTIONS, application.adoptionId);
  if (state.status !== 'submitted') return rejectionWithoutHold(aggregates, application, state);
  const held = await aggregates.handle(PETS, application.petId, { type: 'HoldPetForAdoption', data: application }, context);
  if (!isRejection(held)) return null;
  const mayRetry = held.rejected === 'already_applied' && (await freeEndedApplication(aggregates, application, context));
  return mayRetry ? holdPet(aggregates, application, context) : held;
};

/**
 * Frees the pet from the earlier application of a person, if that has ended: the domain process that frees the pet may not have
 * run yet. Returns whether the person has no open application for the pet now.
 */
export const freeEndedApplication = async (
  aggregates: Aggregates,
  { petId, userId = '' }: Omit<Application, 'adoptionId'>,
  context: CommandContext,
): Promise<boolean> => {
  const { state } = await aggregates.load(PETS, petId);
  const adoptionId = state.kind === 'listed' ? applicationOf(userId, state.applications) : undefined;
  if (adoptionId === undefined) return true;
  if (await isOpen(aggregates, adoptionId)) return false;
  await freePet(aggregates, { petId, adoptionId }, context);
  return true;
};

const isOpen = async (aggregates: Aggregates, adoptionId: AdoptionId): Promise<boolean> =>
  (await aggregates.load(ADOPTIONS, adoptionId)).state.status === 'submitted';

/**
 * Returns why the pet rejects an application that has never held it. Returns null for any other application. The application
 * records only `pet_not_available`, so the decider of the pet runs again to find the exact reason.
 */
const rejectionWithoutHold = async (
  aggregates: Aggregates,
  application: Application,
  adoption: AdoptionState,
): Promise<Rejection<PetRejection> | null> => {
  if (adoption.status === 'unsubmitted' || adoption.rejectionReason !== 'pet_not_available') return null;
  const { state } = await aggregates.load(PETS, adoption.petId);
  if (state.kind !== 'unlisted' && state.applications.lost.includes(application.adoptionId)) return null;
  const decision = PETS.decider.decide({ type: 'HoldPetForAdoption', data: application }, state);
  return isRejection(decision) ? decision : rejected('pet_not_available');
};

/** Frees a pet that an application holds although the application has ended. A repeated call does nothing. */
export const freePetIfEnded = async (
  aggregates: Aggregates,
  application: Application,
  context: CommandContext,
): Promise<Rejection | null> => {
  return (await isOpen(aggregates, application.adoptionId)) ? null : freePet(aggregates, application, context);
};

const freePet = async (aggregates: Aggregates, application: Application, context: CommandContext): Promise<Rejection | null> =>
  rejectionIn(await aggregates.handle(PETS, application.petId, { type: 'FreePetFromAdoption', data: application }, context));
