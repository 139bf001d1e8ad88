import { pets } from '../api/pets/pets.controller.js';
export const known = pets;
