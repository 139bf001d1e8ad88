import type { PetEvent } from '../domain/pets/pet.events.js';
import { aggregateIdOf, type EventMeta } from '../eventsourcing/message.js';
import { projection, type Document } from '../eventsourcing/projection.js';

/** A pet as this read model contains it. */
type NamedPet = { readonly id: string };
type NameFields = { readonly tenant: string; readonly name: string };

/**
 * Returns the form in which names of pets are compared: `LUNA` and `Ｌｕｎａ` become `luna`. Converts to upper
 * case first, because only `toUpperCase` converts letters such as `ß` to `SS`.
 */
export const foldPetName = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase().trim().replace(/\s+/g, ' ');

const documentOf = (name: string, { stream, tenant }: EventMeta): Document<NamedPet, NameFields> => ({
  body: { id: aggregateIdOf(stream) },
  fields: { tenant, name: foldPetName(name) },
});

/**
 * Finds pets by name. An index on names in the catalogue would slow down each change of a pet, and each order changes a pet.
 * This separate read model changes only when a pet is added, revised or deleted.
 */
export const petNamesProjection = projection<PetEvent, NamedPet, NameFields>({
  name: 'pet-names',
  version: 1,
  category: 'pet',
  fields: { tenant: 'text', name: 'text' },
  indexes: [['tenant', 'name']],
  cells: [],
  amount: () => 1,
  on: {
    PetListed: (_, { details }, meta) => documentOf(details.name, meta),
    PetDetailsRevised: (current, { details }, meta) => current && documentOf(details.name, meta),
    PetStatusSet: 'ignore',
    PetReserved: 'ignore',
    PetReleased: 'ignore',
    PetAdopted: 'ignore',
    PetPhotoAdded: 'ignore',
    PetPhotoRemoved: 'ignore',
    PetHeldForAdoption: 'ignore',
    PetFreedFromAdoption: 'ignore',
    PetAdoptedByApplication: 'ignore',
    PetRetired: () => null,
  },
});
