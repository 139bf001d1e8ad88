import type { PetId } from '../domain/ids.js';
export type Known = PetId;
