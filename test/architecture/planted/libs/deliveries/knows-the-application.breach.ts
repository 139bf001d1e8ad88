import { handler } from '../application/pets.handler.js';
export const known = handler;
