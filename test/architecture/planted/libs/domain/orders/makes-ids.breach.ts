import { randomUUID } from 'node:crypto';
export const made = randomUUID;
