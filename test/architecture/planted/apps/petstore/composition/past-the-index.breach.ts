import { systemClock } from '../../../libs/adapters/system/system-clock.js';
export const known = systemClock;
