import type { AdoptionEvent } from '../../domain/adoptions/adoption.events.js';
import type { AdoptionId, PetId } from '../../domain/ids.js';
import { aggregateIdOf, type Message, type RecordedEvent } from '../../eventsourcing/message.js';
import type { Process } from '../../eventsourcing/process.js';
import type { ProcessCommand } from '../process-command.js';

const freePet = ({ data: { petId }, meta }: RecordedEvent<Message<string, { readonly petId: PetId }>>): readonly ProcessCommand[] => [
  { type: 'FreePetFromAdoption', data: { petId, adoptionId: aggregateIdOf(meta.stream) as AdoptionId } },
];

/**
 * Ends the hold on the pet when an application ends without approval. The pet is AVAILABLE again if no other open application
 * holds it (contract 36.3).
 */
export const adoptionEndFreesPet: Process<AdoptionEvent, ProcessCommand> = {
  name: 'adoption-end-frees-pet',
  on: { AdoptionRejected: freePet, AdoptionWithdrawn: freePet, AdoptionExpired: freePet },
};
