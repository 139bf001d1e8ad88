/** The process that searches at random for `searches.bench.ts`. */
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { SIZES, SPECIES } from '../../libs/domain/pets/pet.events.js';
import { caller } from '../servers/calling.js';
import { runLoad } from './run-load.js';

export type SearchPlan = { readonly url: string; readonly atOnce: number };

const SORTS = [
  undefined,
  { field: 'price' },
  { field: 'price', order: 'DESC' },
  { field: 'ageMonths' },
  { field: 'ageMonths', order: 'DESC' },
];

/** Returns the body of a search with random criteria and a random sort. */
const randomSearch = (random: () => number): object => {
  const some = (values: readonly string[]): readonly string[] => values.filter(() => random() < 0.5);
  const flag = (): boolean | undefined => (random() < 0.4 ? random() < 0.5 : undefined);
  const min = Math.floor(random() * 120);
  return {
    criteria: {
      species: random() < 0.6 ? some(SPECIES) : [],
      size: random() < 0.5 ? some(SIZES) : [],
      ...(random() < 0.5 && { ageRange: { min, max: min + Math.floor(random() * 60) } }),
      compatibility: { goodWithKids: flag() },
      medical: { vaccinated: flag(), spayedNeutered: flag(), specialNeeds: flag() },
    },
    sort: SORTS[Math.floor(random() * SORTS.length)],
  };
};

await runLoad(({ url, atOnce }: SearchPlan) => {
  const call = caller(url);
  const randoms = Array.from({ length: atOnce }, (_, number) => createRandom(number + 1));
  return async (isStopped) => {
    let searches = 0;
    const searchInTurn = async (random: () => number): Promise<void> => {
      for (; !isStopped(); searches++) {
        const { status, text } = await call('POST', '/v1/pets/search', { body: randomSearch(random) });
        if (status !== 200) throw new Error(text);
      }
    };
    await Promise.all(randoms.map(searchInTurn));
    return searches;
  };
});
