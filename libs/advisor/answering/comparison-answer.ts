import type { Catalogue, CataloguePet } from '../catalogue.js';
import { isCareQuestion } from '../dialogue/care-question.js';
import { factOfChoice, firstText, orderOf, thanOf } from '../dialogue/choice.js';
import type { Dialogue } from '../dialogue/dialogue.js';
import { animalOf, type Animal } from '../dialogue/own-animal.js';
import { kindNamed } from '../kinds/kind.js';
import { weightOf } from '../kinds/kind-texts.js';
import { ORDERS } from '../matching/order.js';
import { breedsIn, searchPets } from '../matching/search.js';
import { capitalised, spacedWords } from '../reading/token.js';
import type { Preferences } from '../preferences/preferences.js';
import { roleAt } from '../preferences/roles.js';
import type { Sentence } from '../reading/sentence.js';
import { comparesKinds } from '../suiting/suits.js';
import { breedText, criteriaText, joined } from '../wording/criteria.js';
import { factValue } from '../wording/facts.js';
import { nameText, plainText, SPECIES_WORDS } from '../wording/pet-facts.js';
import { lines } from '../wording/recommend.js';
import { textPart, type Part, type Style } from '../wording/part.js';
import type { Order } from '../words/concept.js';

/** The maximum number of kinds that an answer compares. */
const MOST_KINDS = 3;

/** The animals that sentences look for or ask about, each once. "A husky dog" names one. */
export const animalsIn = (sentences: readonly Sentence[]): readonly Animal[] => {
  const all = sentences.flatMap(({ items }) =>
    items.flatMap(({ concept, isNegated }, at) => {
      const animal = isNegated || /^(owned|past|met)$/.test(roleAt(items, at)) ? null : animalOf(concept);
      const isOfBreed = animal?.breed === undefined && items[at - 1]?.concept?.kind === 'breed';
      return animal && !isOfBreed ? [animal] : [];
    }),
  );
  return [...new Map(all.map((animal) => [`${animal.species} ${animal.breed ?? ''}`, animal])).values()];
};

/** The name of an animal in a sentence: "cat", "Maine Coon". */
export const animalText = ({ species, breed }: Animal, isMany = false): string => {
  if (breed === undefined) return SPECIES_WORDS[species][isMany ? 1 : 0];
  const kind = kindNamed(species, breed);
  // A dog of a breed that the guide does not know is only a dog to it.
  const isWhole = kind === null || kind.name === kindNamed(species, undefined)?.name;
  return isMany && !isWhole ? kind.many : breedText(breed);
};

/** What a search for one animal looks for. */
export const searchOf = ({ species, breed }: Animal): Pick<Preferences, 'species' | 'breeds' | 'anyBreedOf'> => ({
  species: [species],
  breeds: breed === undefined ? [] : [breed],
  anyBreedOf: [],
});

/** Names the criteria of a comparison of kinds, before its sentence. Returns '' if there are none beside the kinds. */
export const ofCriteria = (preferences: Preferences): string => {
  const criteria = criteriaText({ ...preferences, species: [], notSpecies: [], breeds: [], notBreeds: [] });
  return criteria === '' ? '' : `Of those that meet your criteria (${criteria}): `;
};

/** "More expensive" is no phrase of the kind `relative`, because nobody looks for a more expensive pet. */
const DEARER = / (?:more expensive|pricier|dearer|costs? more) /;

/** The order by which a message compares kinds: "which is cheaper, a Ragdoll or a Maine Coon?" */
const orderIn = (sentences: readonly Sentence[], text: string): Order | null => {
  const [than] = sentences.flatMap(({ items }) => items.flatMap(({ concept, isNegated }) => (isNegated ? [] : (thanOf(concept) ?? []))));
  if (than) return orderOf(than);
  if (DEARER.test(text)) return 'dearest';
  return / (?:heavier|taller) /.test(text) ? 'largest' : / lighter /.test(text) ? 'smallest' : null;
};

/** Words about what an animal costs after it is bought, which the guide says. */
const OF_UPKEEP = / to (?:feed|keep|own|have|maintain|run|look after|care for) /;
const BETTER: Readonly<Partial<Record<Order, string>>> = { cheapest: 'start cheaper', dearest: 'go up to higher prices' };

/**
 * Compares two or three kinds of the catalogue by price or age, with the first pet of each, or by the weight that the guide states.
 * Returns no parts if the message compares no kinds so, or if one of them is not in the catalogue.
 */
export const comparisonParts = async (dialogue: Dialogue, catalogue: Catalogue, style: Style): Promise<readonly Part[]> => {
  const { preferences, tokens, referred } = dialogue;
  const sentences = dialogue.sentences.filter((sentence) => !isCareQuestion(sentence));
  const text = spacedWords(tokens);
  const animals = animalsIn(sentences).slice(0, MOST_KINDS);
  if (OF_UPKEEP.test(text) || animals.length < 2 || referred.named.length > 0 || !comparesKinds(sentences)) return [];
  const order = orderIn(sentences, text);
  if (order === null) return [];
  if (order === 'smallest' || order === 'largest') return weightParts(animals, order);
  const found = await Promise.all(
    animals.map(async (animal) => {
      const anyone = { ...preferences, notSpecies: [], notBreeds: [], aspects: [], wishes: [] };
      const wish = { ...anyone, ...searchOf(animal), order, isOrderSoft: false };
      return (await searchPets(catalogue, wish, { limit: 1, isCounting: false })).fits[0];
    }),
  );
  const firsts = found.filter((pet): pet is CataloguePet => pet !== undefined);
  if (firsts.length < animals.length) return [];
  const sorted = animals
    .map((animal, nth) => ({ animal, pet: firsts[nth] }))
    .toSorted((one, other) => ORDERS[order].compare(one.pet, other.pet));
  const better = BETTER[order];
  const isTie = ORDERS[order].compare(sorted[0].pet, sorted[1].pet) === 0;
  const verdict = better && !isTie ? `${capitalised(animalText(sorted[0].animal, true))} ${better} here: ` : '';
  const each = sorted.map(
    ({ animal, pet }) => `${firstText(order)} ${animalText(animal)} is ${nameText(pet)} (${factValue(pet, factOfChoice(order))})`,
  );
  const sentence = `${ofCriteria(preferences)}${verdict}${each.join(', ')}.`;
  const pets = sorted.map(({ pet }) => pet);
  return [{ text: `${capitalised(sentence)}\n${lines(pets, 1, style, () => null)}`, pets }];
};

/** Compares kinds by the weight that grown animals usually have. */
const weightParts = (animals: readonly Animal[], order: 'smallest' | 'largest'): readonly Part[] => {
  const known = animals.flatMap((animal) => {
    const weight = weightOf(animal.breed ?? '');
    return weight ? [{ name: animalText(animal, true), ...weight }] : [];
  });
  if (known.length < animals.length) return [];
  const sorted = known.toSorted((one, other) => (order === 'smallest' ? one.grams - other.grams : other.grams - one.grams));
  const [first, ...others] = sorted.map(({ name, text }) => `${name} (${text})`);
  return [
    textPart(`My guide says: ${capitalised(first)} usually stay ${order === 'smallest' ? 'smaller' : 'larger'} than ${joined(others)}.`),
  ];
};

/** A question about the size of breeds, not of pets: "which ones stay smallest", "the smallest breed of dog". */
const ASKS_GROWTH =
  / (?:(?:stays?|remains?|keeps?|gets?|grows?|becomes?) (?:the )?(?:smallest|tiniest|lightest|biggest|largest|heaviest)|(?:smallest|tiniest|lightest|biggest|largest|heaviest) (?:breeds?|kinds?|types?|races?)|(?:breeds?|kinds?|types?) (?:[^ ]+ ){0,4}(?:smallest|tiniest|biggest|largest|heaviest)) /;
const MOST_BREEDS = 3;

/** Names the kinds of the catalogue that stay smallest or grow largest, if the message asks for that. */
export const growthParts = async ({ tokens, sentences, preferences }: Dialogue, catalogue: Catalogue): Promise<readonly Part[]> => {
  const text = spacedWords(tokens);
  const [species, ...others] = [...new Set([...animalsIn(sentences).map((animal) => animal.species), ...preferences.species])];
  if (species === undefined || others.length > 0 || !ASKS_GROWTH.test(text)) return [];
  const isLargest = / (?:biggest|largest|heaviest) /.test(text);
  const breeds = await breedsIn(catalogue, [species]);
  const known = breeds.flatMap((breed) => {
    const weight = weightOf(breed);
    return weight ? [{ breed, ...weight }] : [];
  });
  const sorted = known.toSorted((one, other) => (isLargest ? other.grams - one.grams : one.grams - other.grams)).slice(0, MOST_BREEDS);
  if (sorted.length < 2) return [];
  const [first, ...next] = sorted.map((one) => `${plainText(one.breed)} (${one.text})`);
  return [
    textPart(
      `Of the kinds in the catalogue, ${isLargest ? 'the largest is usually' : 'the one that usually stays smallest is'} ${first}, then ${joined(next, 'and')}.`,
    ),
  ];
};
