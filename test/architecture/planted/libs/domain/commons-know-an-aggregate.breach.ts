import type { PetEvent } from './pets/pet.events.js';
export type Known = PetEvent;
