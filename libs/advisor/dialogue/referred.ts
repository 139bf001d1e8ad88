import type { CataloguePet } from '../catalogue.js';
import { firstBy, superlativeOf, thanOf } from './choice.js';
import { hasWords } from '../matching/fit.js';
import { animalOf, type Animal } from './own-animal.js';
import type { Item } from '../reading/token.js';
import type { Sentence } from '../reading/sentence.js';
import type { KnownPets } from '../references/pet-names.js';

/** The pets that a message refers to. */
export type Referred = {
  /** By name or by position: "Rex", "the second one". */
  readonly named: readonly CataloguePet[];
  /** By a pronoun such as "it" or "her", which may also mean something other than a pet. */
  readonly pointed: readonly CataloguePet[];
  /** The ids of the pets that the customer does not want. */
  readonly refused: readonly string[];
};

export const NO_PETS: Referred = { named: [], pointed: [], refused: [] };

/** The pets that a message can refer to. */
type Shown = {
  readonly shown: readonly CataloguePet[];
  /** The pets that the conversation is about. */
  readonly focus: readonly CataloguePet[];
  readonly everShown: readonly CataloguePet[];
  readonly known: KnownPets;
};

/** Pronouns that refuse a pet if negated: "I don't like him". "It" is not one: "I don't want it to be big" refuses no pet. */
const REFUSING =
  /^(him|her|them|that one|this one|those two|these two|those|these|all of them|both of them|that (dog|cat|pet|bird|rabbit)|this (dog|cat|pet))$/;

/** Finds the pets that names, "the second one", "her" and "others" refer to. */
export const referredPets = (sentences: readonly Sentence[], shown: Shown): Referred => {
  const named = new Set<CataloguePet>();
  const pointed = new Set<CataloguePet>();
  const refused = new Set<string>();
  let before: readonly Animal[] = [];
  for (const sentence of sentences) {
    const { items } = sentence;
    const animals = animalsIn(sentence);
    // "A dog named Rex? If not, then Max": Max is a dog, too.
    before = animals.length > 0 ? animals : before;
    const isOfAll = superlativeOf(sentence) !== null;
    for (const [at, item] of items.entries()) {
      const all = isChosen(items, at, isOfAll) ? chosenPet(shown.shown, item) : petsOf(item, shown);
      const found = item.concept?.kind === 'pet' ? ofSpecies(all, before) : all;
      const isPronoun = item.concept?.kind === 'pronoun';
      // "Show me others" refuses all pets that were shown.
      if (item.concept?.kind === 'more' || (item.isNegated && (!isPronoun || REFUSING.test(item.text))))
        found.forEach(({ id }) => refused.add(id));
      else found.forEach((pet) => (isPronoun ? pointed : named).add(pet));
    }
  }
  // "I already saw Rex. Who else?" refuses Rex.
  if (
    sentences.some(({ items }) =>
      items.some(({ concept, text }) => concept?.kind === 'more' && /^(who|what|anything|someone) else$/.test(text)),
    )
  )
    named.forEach(({ id }) => refused.add(id));
  const isKept = ({ id }: CataloguePet): boolean => !refused.has(id);
  return { named: [...named].filter(isKept), pointed: [...pointed].filter(isKept), refused: [...refused] };
};

const animalsIn = ({ items }: Sentence): readonly Animal[] =>
  items.flatMap(({ concept, isNegated }) => (isNegated ? [] : (animalOf(concept) ?? [])));

/** Of pets that share a name, those of the species that the sentence names: "the cat called Luna". */
const ofSpecies = (pets: readonly CataloguePet[], named: readonly Animal[]): readonly CataloguePet[] => {
  const same = pets.filter((pet) => named.some(({ species }) => species === pet.species));
  const ofBreed = same.filter((pet) => named.some(({ breed }) => breed !== undefined && hasWords(pet.breed, breed)));
  return [ofBreed, same].find((some) => some.length > 0) ?? pets;
};

/** Whether an item chooses one of the pets that were shown: "Is the cheapest one vaccinated?" */
const isChosen = (items: readonly Item[], at: number, isOfAll: boolean): boolean =>
  !isOfAll &&
  thanOf(items[at].concept) !== null &&
  items[at - 1]?.text === 'the' &&
  /^(is|does|has|was)$/.test(items[at - 2]?.text ?? '') &&
  !/^(which|who|what|of)$/.test(items[0].text);

const chosenPet = (shown: readonly CataloguePet[], { concept }: Item): readonly CataloguePet[] => {
  const than = thanOf(concept);
  const chosen = than && firstBy(shown, than);
  return chosen ? [chosen] : [];
};

const petsOf = ({ concept }: Item, { shown, focus, everShown, known }: Shown): readonly CataloguePet[] => {
  switch (concept?.kind) {
    case 'pet': {
      const same = known.withName(concept.name);
      const before = same.filter((pet) => everShown.includes(pet));
      return before.length > 0 ? before : same;
    }
    case 'ordinal': {
      // A negative number counts from the end: -1 is the last pet.
      const first = concept.nth > 0 ? concept.nth - 1 : shown.length + concept.nth;
      return first < 0 ? [] : shown.slice(first, first + (concept.count ?? 1));
    }
    case 'pronoun':
      if (concept.many) return shown;
      return focus.length > 0 ? focus : shown;
    case 'more':
      return everShown;
    default:
      return [];
  }
};
