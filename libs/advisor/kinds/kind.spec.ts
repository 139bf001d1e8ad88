import { describe, expect, it } from '@jest/globals';
import { ASPECTS, type Aspect } from './aspects.js';
import { breedsBy, kindNamed, kindsOfSpecies, notesOfKinds, type Kind } from './kind.js';
import { BITING, SHOPPING, TOILET, FEAR, GROWTH, NOISE, MEALS, ROOM, WARMTH } from './kind-texts.js';

const NAMES = [
  ['DOG', undefined],
  ['DOG', 'siberian husky'],
  ['CAT', 'maine coon'],
  ['RABBIT', 'rex'],
  ['OTHER', 'syrian hamster'],
  ['BIRD', 'african grey parrot'],
  ['REPTILE', 'leopard gecko'],
] as const;

describe('a kind of animal (contract 40.5)', () => {
  it.each(NAMES)('%s %s has a rank and a sentence for every aspect', (species, breed) => {
    const kind = kindNamed(species, breed) as Kind;
    for (const aspect of Object.keys(ASPECTS) as Aspect[]) {
      expect([0, 1, 2, 3]).toContain(kind.rank(aspect));
      expect(kind.note(aspect)).toMatch(/^[A-Z][^{}]*\.$/);
    }
  });

  it('is found by its breed, or by a species whose animals are alike', () => {
    expect(kindNamed('DOG', 'siberian husky')?.name).toBe('husky');
    expect(kindNamed('DOG', 'unknown')?.name).toBe('dog');
    expect(kindNamed('BIRD', 'parakeet')?.name).toBe('budgie');
    expect(kindNamed('BIRD', undefined)).toBeNull();
  });

  it('that is alike shares a sentence, best first', () => {
    expect(notesOfKinds(kindsOfSpecies('BIRD'), 'odour')).toEqual([
      'Budgies, canaries and finches hardly smell if their place is kept clean.',
      'Cockatiels smell little if their place is cleaned every day.',
    ]);
  });

  it('has breeds that suit better than the species', () => {
    expect(breedsBy(kindNamed('DOG', undefined) as Kind, ['coat']).map(({ name }) => name)).toContain('poodle');
  });

  it('has sections of care by the name that it has', () => {
    const bases = (['DOG', 'CAT', 'RABBIT', 'OTHER', 'BIRD', 'REPTILE'] as const).flatMap((species) =>
      [
        undefined,
        ...Object.keys({ ...MEALS, ...ROOM, ...WARMTH, ...SHOPPING, ...TOILET, ...BITING, ...FEAR, ...NOISE, ...GROWTH }),
      ].flatMap((name) => kindNamed(species, name)?.base ?? []),
    );
    for (const texts of [MEALS, ROOM, WARMTH, SHOPPING, TOILET, BITING, FEAR, NOISE, GROWTH])
      for (const name of Object.keys(texts)) expect(bases).toContain(name);
  });
});
