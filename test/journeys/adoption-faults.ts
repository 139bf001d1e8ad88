import { adoptionDecider, type AdoptionState } from '../../libs/domain/adoptions/adoption.decider.js';
import { petDecider, type PetState } from '../../libs/domain/pets/pet.decider.js';
import type { Decider } from '../../libs/eventsourcing/decider.js';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import { aggregateIdOf, categoryOf, type Message, type RecordedEvent } from '../../libs/eventsourcing/message.js';
import { decodeEvents } from './replay.js';

/** Returns the state of each aggregate of one category, by its id. */
const foldAll = <S, E extends Message>(
  events: readonly RecordedEvent[],
  category: string,
  { initial, evolve }: Pick<Decider<S, never, E, string>, 'initial' | 'evolve'>,
): ReadonlyMap<string, S> => {
  const states = new Map<string, S>();
  for (const event of events) {
    if (categoryOf(event.meta.stream) !== category) continue;
    const id = aggregateIdOf(event.meta.stream);
    states.set(id, evolve(states.get(id) ?? initial, event as unknown as E, event.meta));
  }
  return states;
};

const holdersOf = (pet: PetState | undefined): { readonly open: readonly string[]; readonly approved: readonly string[] } =>
  pet && pet.kind !== 'unlisted' ? pet.applications : { open: [], approved: [] };

const faultsOfAdoption = (id: string, adoption: AdoptionState, pets: ReadonlyMap<string, PetState>): readonly string[] => {
  if (adoption.status === 'unsubmitted') return [];
  const { open, approved } = holdersOf(pets.get(adoption.petId));
  return [
    ...(open.includes(id) === (adoption.status === 'submitted')
      ? []
      : [`${id} is ${adoption.status}, and its pet is held: ${open.includes(id)}`]),
    ...(approved.includes(id) === (adoption.status === 'approved')
      ? []
      : [`${id} is ${adoption.status}, and has its pet: ${approved.includes(id)}`]),
    ...(adoption.isApproving ? [`the approval of ${id} has not ended`] : []),
  ];
};

const faultsOfPet = (id: string, pet: PetState): readonly string[] => {
  if (pet.kind === 'listed' && pet.applications.approved.length + (pet.reservation ? 1 : 0) > 1) return [`pet ${id} was given to several`];
  if (pet.kind !== 'listed' || pet.applications.open.length === 0) return [];
  return pet.status === 'PENDING' && pet.reservation === null
    ? []
    : [`pet ${id} is held by applications and ${pet.status}, or reserved too`];
};

/**
 * Returns a line for each contradiction between an application and its pet (contract 36.5). After a kill, there are
 * contradictions until the service has completed the missing steps.
 */
export const adoptionFaults = (events: readonly StoredEvent[]): readonly string[] => {
  const decoded = decodeEvents(events);
  const pets = foldAll(decoded, 'pet', petDecider);
  const adoptions = foldAll(decoded, 'adoption', adoptionDecider);
  return [
    ...[...adoptions].flatMap(([id, adoption]) => faultsOfAdoption(id, adoption, pets)),
    ...[...pets].flatMap(([id, pet]) => faultsOfPet(id, pet)),
  ];
};
