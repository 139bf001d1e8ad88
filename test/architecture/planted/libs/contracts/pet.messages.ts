import type { PetEvent } from '../domain/pets/pet.events.js';
export const say = (event: PetEvent): string => event.id;
