import { createRandom, createSamplePet } from '../../apps/petstore/seeding/sample-pets.js';
import type { CataloguePet } from '../../libs/advisor/catalogue.js';

/** The pets of `petstore seed --pets 60`. */
export const seededPets = (): readonly CataloguePet[] => {
  const random = createRandom(1);
  return Array.from({ length: 60 }, (_, nth) => {
    const { details, status } = createSamplePet(random);
    return { id: `id-${nth}`, ...details, status };
  });
};
