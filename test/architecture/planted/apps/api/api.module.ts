import { pets } from './pets/pets.controller.js';
export const api = [pets];
