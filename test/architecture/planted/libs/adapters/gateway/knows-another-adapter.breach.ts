import { systemClock } from '../system/index.js';
export const known = systemClock;
