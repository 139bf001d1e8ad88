import { pet } from './pet.fixtures.js';
export const shipped = pet;
