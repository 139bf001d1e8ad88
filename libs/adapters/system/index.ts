export { createIds } from './ids.js';
export { randomness } from './randomness.js';
export { systemClock } from './system-clock.js';
export { randomPassword, secretBytes } from './random-password.js';
export { certificateEnd, diskOf, whyNotListening } from './machine.js';
