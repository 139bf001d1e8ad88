/** Random numbers from a seed: the same seed gives the same numbers. */
export type Random = {
  /** Returns a number from 0 to 1, without 1. */
  number(): number;
  /** Returns a whole number from 0 to `end`, without `end`. */
  below(end: number): number;
  /** Returns true with this probability. */
  chance(probability: number): boolean;
  /** Returns one of the items. */
  pick<T>(items: readonly [T, ...T[]] | readonly T[]): T;
};

/** Creates random numbers by the algorithm mulberry32. */
export const randomFrom = (seed: number): Random => {
  let state = seed >>> 0;
  const number = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(number() * end);
  return {
    number,
    below,
    chance: (probability) => number() < probability,
    pick<T>(items: readonly T[]): T {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError('there is nothing to pick from');
      return item;
    },
  };
};

/** Returns a seed that depends on a text and on another seed, for random numbers that no other use of the seed changes. */
export const seedOf = (seed: number, text: string): number => {
  let hash = seed ^ 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
};
