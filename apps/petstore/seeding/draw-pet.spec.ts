import { describe, expect, it } from '@jest/globals';
import { drawPet } from './draw-pet.js';
import { createRandom, createSamplePet } from './sample-pets.js';

const SAMPLES = 2_000;

describe('the drawing of a sample pet', () => {
  const random = createRandom(1);
  const kinds = new Map(
    Array.from({ length: SAMPLES }, () => createSamplePet(random).details).map((pet) => [`${pet.color} ${pet.species}`, pet]),
  );

  it.each([...kinds])('of a %s has its own colors', (_, { species, color = '' }) => {
    // A color without a coat is drawn in grey.
    expect(drawPet({ species, color }) === drawPet({ species, color: 'unknown' })).toBe(color === 'grey');
  });

  it('is the same for the same pet, and another one for another species', () => {
    const drawings = (['DOG', 'CAT', 'RABBIT', 'BIRD', 'REPTILE', 'OTHER'] as const).map((species) => drawPet({ species, color: 'white' }));
    expect(new Set(drawings).size).toBe(6);
    expect(drawPet({ species: 'DOG', color: 'white' })).toBe(drawings[0]);
  });
});
