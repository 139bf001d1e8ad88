import { say } from '../contracts/pet.messages.js';
export const known = say;
