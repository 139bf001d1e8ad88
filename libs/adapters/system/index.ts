export { createIds } from './ids.js';
export { systemClock } from './system-clock.js';
