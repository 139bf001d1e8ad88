import { describe, expect, it } from '@jest/globals';
import { paymentShape } from '../../payments/payment.shape.js';
import { PetRequest } from '../../pets/pet.dto.js';
import { PetSearch } from '../../pets/pet-search.dto.js';
import { parseEntityTags } from '../consistency/entity-tags.js';
import { shapeOf } from './shape.js';
import { unknownKeys } from './unknown-keys.fixtures.js';

const LUNA = { name: 'Luna', species: 'DOG', ageMonths: 18 };
const MOST_KEYS = unknownKeys();

describe('validation', () => {
  const timed = (work: () => unknown): number => {
    const begun = performance.now();
    work();
    return performance.now() - begun;
  };

  /**
   * Runs both functions ten times and returns the shortest time of each.
   * A busy machine makes some rounds longer.
   */
  const shortestTimes = (one: () => unknown, other: () => unknown): readonly [number, number] => {
    const rounds = Array.from({ length: 10 }, () => [timed(one), timed(other)] as const);
    return [Math.min(...rounds.map(([time]) => time)), Math.min(...rounds.map(([, time]) => time))];
  };

  it.each<readonly [string, { compile(): (value: never) => unknown }, () => unknown]>([
    ['130,000 unknown properties', shapeOf(PetRequest), () => MOST_KEYS],
    ['a list of 260,000 items', shapeOf(PetSearch), () => ({ criteria: { species: Array<string>(260_000).fill('q'), size: [] } })],
    ['a list of 260,000 links', shapeOf(PetRequest), () => ({ ...LUNA, photos: Array<string>(260_000).fill('q') })],
    ['texts of 1 MiB', shapeOf(PetRequest), () => ({ ...LUNA, name: '😀'.repeat(120_000), breed: ' '.repeat(500_000) })],
    [
      'a card number of 1 MiB',
      paymentShape,
      () => ({ amount: '1'.repeat(300_000), source: { object: 'card', number: '4'.repeat(700_000) } }),
    ],
    ['an If-Match header of 200 KB', { compile: () => parseEntityTags }, () => `"3.1"${' '.repeat(200_000)}x`],
  ])('of %s takes less time than parsing 1 MiB of JSON', (_, shape, given) => {
    const body = given();
    const mostKeys = JSON.stringify(MOST_KEYS);
    const read = shape.compile();
    const [validating, parsing] = shortestTimes(
      () => read(body as never),
      () => JSON.parse(mostKeys),
    );
    expect(validating).toBeLessThan(parsing);
  });
});
