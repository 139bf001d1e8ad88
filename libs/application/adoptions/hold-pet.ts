import type { AdoptionState } from '../../domain/adoptions/adoption.decider.js';
import type { AdoptionId, PetId } from '../../domain/ids.js';
import type { PetRejection } from '../../domain/pets/pet.decider.js';
import { isRejection, rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { Aggregates } from '../../eventsourcing/handle.js';
import type { CommandContext } from '../../eventsourcing/message.js';
import { ADOPTIONS, PETS } from '../aggregates.js';

type Application = { readonly petId: PetId; readonly adoptionId: AdoptionId };

/**
 * Lets an open application hold its pet. Returns null, or why the pet rejects the application.
 *
 * The request and the domain process adoption-submitted-holds-pet both call this, so the application may have ended already. In
 * that case, this changes nothing. If the application was rejected because it never got its pet, returns the pet's reason, so
 * that the request can report that reason. For any other ended application, returns null.
 */
export const holdPet = async (
  aggregates: Aggregates,
  { petId, adoptionId }: Application,
  context: CommandContext,
): Promise<Rejection<PetRejection | 'precondition_failed' | 'contended'> | null> => {
  const { state } = await aggregates.load(ADOPTIONS, adoptionId);
  if (state.status !== 'submitted') return rejectionWithoutHold(aggregates, adoptionId, state);
  const held = await aggregates.handle(PETS, petId, { type: 'HoldPetForAdoption', data: { petId, adoptionId } }, context);
  return isRejection(held) ? held : null;
};

/**
 * Returns why the pet rejects an application that has never held it. Returns null for any other application. The application
 * records only `pet_not_available`, so the decider of the pet runs again to find the exact reason.
 */
const rejectionWithoutHold = async (
  aggregates: Aggregates,
  adoptionId: AdoptionId,
  adoption: AdoptionState,
): Promise<Rejection<PetRejection> | null> => {
  if (adoption.status === 'unsubmitted' || adoption.rejectionReason !== 'pet_not_available') return null;
  const { petId } = adoption;
  const { state } = await aggregates.load(PETS, petId);
  if (state.kind !== 'unlisted' && state.applications.lost.includes(adoptionId)) return null;
  const decision = PETS.decider.decide({ type: 'HoldPetForAdoption', data: { petId, adoptionId } }, state);
  return isRejection(decision) ? decision : rejected('pet_not_available');
};

/** Frees a pet that an application holds although the application has ended. A repeated call does nothing. */
export const freePetIfEnded = async (aggregates: Aggregates, application: Application, context: CommandContext): Promise<object | null> => {
  const { state } = await aggregates.load(ADOPTIONS, application.adoptionId);
  if (state.status === 'submitted') return null;
  return aggregates.handle(PETS, application.petId, { type: 'FreePetFromAdoption', data: application }, context);
};
