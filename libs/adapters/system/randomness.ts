/** Returns a random number from 0 to 1, not cryptographically secure. Use it for jitter only. */
export const randomness = (): number => Math.random();
