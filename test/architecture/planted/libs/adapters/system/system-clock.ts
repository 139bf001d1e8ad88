import { randomBytes } from 'node:crypto';
export const systemClock = randomBytes(1);
