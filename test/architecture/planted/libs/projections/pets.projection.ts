import type { PetEvent } from '../domain/pets/pet.events.js';
export const project = (event: PetEvent): string => event.id;
