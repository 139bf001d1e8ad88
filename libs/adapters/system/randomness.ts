/** Numbers from 0 to 1 that nobody need be unable to guess: for what must only not all happen at once. */
export const randomness = (): number => Math.random();
