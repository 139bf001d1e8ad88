import type { Species } from '../../domain/pets/pet.events.js';
import { animalOf } from '../dialogue/own-animal.js';
import type { Item } from '../reading/item.js';
import type { Statement } from './statement.js';

type Items = readonly Item[];

/** Words after which hair is a matter of cleaning: "I hate hair on my sofa". */
const LEFT_BEHIND = /^(on|everywhere|all|around|in)$/;

const EXCESS = /^(long|short|much|excess|excessive|loose|heavy|thick)$/;

/**
 * "No fur" excludes the species that have fur, unless the sentence wants one of them or names the animal: "dog hair". Other words
 * about fur describe the coat that the customer wants.
 */
export const coveringStatements = (species: readonly Species[], items: Items, at: number): readonly Statement[] => {
  const { isNegated } = items[at];
  const isOfAnimal = items.some(
    ({ concept }, nth) => (concept?.kind === 'species' || concept?.kind === 'breed') && (nth === at - 1 || !items[nth].isNegated),
  );
  if (!isNegated && species.includes('CAT') && isWantedFur(items, at)) return [{ about: 'unrecorded', trait: 'coat' }, ...furred(items)];
  if (!isNegated || isOfAnimal || EXCESS.test(items[at - 1]?.text ?? '') || LEFT_BEHIND.test(items[at + 1]?.text ?? ''))
    return isOfAnimal && isNegated ? [] : [{ about: 'unrecorded', trait: 'coat' }];
  return species.map((one) => ({ about: 'species', species: one, isNegated: true, isOnlyLiked: false, isDefinite: true }));
};

/** "Something with fur", "a furry pet". */
const isWantedFur = (items: Items, at: number): boolean =>
  /^(furry|furred)$/.test(items[at].text) || /^(with|has|have|having)$/.test(items[at - 1]?.text ?? '');

/** The species without fur, as excluded, unless the sentence names an animal. */
export const furred = (items: Items): readonly Statement[] => {
  const excluded = items.flatMap(({ concept, isNegated }) => (isNegated ? (animalOf(concept)?.species ?? []) : []));
  const isNamed = items.some(
    ({ concept, isNegated }) => !isNegated && animalOf(concept) !== null && !excluded.includes(animalOf(concept)?.species ?? 'OTHER'),
  );
  return isNamed
    ? []
    : (['BIRD', 'REPTILE'] as const).map((species) => ({
        about: 'species',
        species,
        isNegated: true,
        isOnlyLiked: false,
        isDefinite: true,
      }));
};
