/** Returns a random number from 0 to 1 for jitter. It is not cryptographically secure. */
export const randomness = (): number => Math.random();
