import type { Species } from '../../domain/pets/pet.events.js';
import type { Sentence } from '../reading/sentence.js';
import { sectionOf } from './care.js';

/** Foods that are poisonous or dangerous for every species of the guide, or for some. */
const DANGEROUS: readonly (readonly [words: string, species: readonly Species[] | 'all'])[] = [
  ['chocolate cocoa coffee caffeine tea alcohol beer wine onion onions garlic chives leek leeks xylitol', 'all'],
  ['avocado avocados', ['RABBIT', 'BIRD', 'OTHER', 'REPTILE']],
  ['grape grapes raisin raisins macadamia macadamias currants', ['DOG', 'CAT']],
  ['rhubarb potato potatoes', ['RABBIT', 'OTHER', 'REPTILE']],
  ['lily lilies', ['CAT', 'DOG']],
  ['bones', ['DOG', 'CAT']],
  ['milk', ['CAT', 'DOG', 'RABBIT', 'BIRD', 'REPTILE', 'OTHER']],
];
/** Words of a question about a food: "Can dogs eat grapes?" */
const MAY_EAT = /^(eat|eats|have|give|feed|ok|okay|safe|bad|good|poisonous|toxic|dangerous|drink)$/;

/** Returns a warning if a question names a food that is dangerous for the species; null otherwise. */
export const foodAnswer = (questions: readonly Sentence[], species: Species): string | null => {
  const words = questions
    .filter(({ tokens }) => tokens.some(({ word }) => MAY_EAT.test(word)))
    .flatMap(({ tokens }) => tokens.map(({ word }) => word));
  const food = words.find((word) =>
    DANGEROUS.some(([foods, of]) => foods.split(' ').includes(word) && (of === 'all' || of.includes(species))),
  );
  const section = sectionOf('feeding', species);
  if (!food || !section) return null;
  return `From the guide, "${section.title}": do not give ${food}: it can be dangerous. If the animal has eaten some, call a vet now. ${section.short}`;
};
