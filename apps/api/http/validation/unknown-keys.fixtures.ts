const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const letters = (nth: number): string => [nth, nth / 52, nth / 2_704].map((place) => LETTERS[Math.floor(place) % 52]).join('');

/** Creates unknown properties; by default, as many as fit into a body of 1 MiB. */
export const unknownKeys = (count = 130_000): object => Object.fromEntries(Array.from({ length: count }, (_, nth) => [letters(nth), 1]));
