import type { PetEvent } from '../../libs/domain/pets/pet.events.js';

export type Known = PetEvent;
