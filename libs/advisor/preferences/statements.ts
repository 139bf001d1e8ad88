import type { Species, Gender, Size } from '../../domain/pets/pet.events.js';
import { isCapitalised, spacedWords, type Item, type Token } from '../reading/token.js';
import { textOf, type Sentence } from '../reading/sentence.js';
import type { Concept, HealthField, Order, Slot, Stage, Unrecorded } from '../words/concept.js';
import { PET_WORDS } from '../words/animals.js';
import { isNumeric } from './number-context.js';
import { describesPet, isOnlyLiked, roleAt } from './roles.js';
import { agesOfPeople, haveLeft, isBabyOfPeople, kidsOf, livesAlone } from '../suiting/people.js';
import { animalOf, isAnimal } from '../dialogue/own-animal.js';
import { isEverydayWord } from '../words/common-words.js';
import { isOrdinaryWord } from '../reading/spelling.js';

/** Reads what a sentence says. `measuresOf` reads its numbers. */
export const statementsOf = (sentence: Sentence): readonly Statement[] => [
  ...phraseStatements(sentence),
  ...habitStatements(sentence),
  ...(livesAlone(sentence.items) ? [{ about: 'children', isNegated: true } as const] : []),
  ...unknownBreeds(sentence),
  ...mustStatements(sentence),
  ...(agesOfPeople(sentence.items).some((years) => years < 14) ? [{ about: 'children', isNegated: false } as const] : []),
];

/** "For a boy of nine, something that he can hold" and "something to hold in my hands" ask for a small animal. */
const TO_HOLD =
  / (?:something|anything|one|pet|animal) (?:that |which |to )?(?:(?:he|she|they|my [a-z]+|the kids?) can |can be )?(?:hold|held|carry|carried|pick up|picked up) /;
const IN_HANDS = / (?:hold|holds|held|fits?|sits?|take) (?:[^ ]+ )?in (?:my|a|the|his|her|their|your|our|one|both) (?:hands?|palm) /;
const NO_BARKING =
  / (?:no|not|without|never|doesn't|won't|can't stand|hates?) (?:[^ ]+ ){0,2}(?:bark|barks|barking) (?!much|a lot|too|all|at|dog)/;

/** Wishes that exclude animals: no list may contradict them. A message that names an animal wants this one with them. */
const mustStatements = ({ items, tokens }: Sentence): readonly Statement[] => {
  if (items.some(({ concept, isNegated }) => isAnimal(concept) && !isNegated)) return [];
  const text = spacedWords(tokens);
  const isOfChild = agesOfPeople(items).some((years) => years < 14) || items.some(({ concept }) => concept?.kind === 'kids');
  return [
    ...(IN_HANDS.test(text) || (TO_HOLD.test(text) && isOfChild) ? [{ about: 'size', size: 'SMALL', isNegated: false } as const] : []),
    ...(NO_BARKING.test(text)
      ? [{ about: 'species', species: 'DOG', isNegated: true, isOnlyLiked: false, isDefinite: true } as const]
      : []),
  ];
};

const unknownBreeds = (sentence: Sentence): readonly Statement[] => {
  const name = unknownBreedIn(sentence);
  if (name === null) return [];
  const species = sentence.items.flatMap(({ concept, text }) => (concept === null ? (compoundSpecies(text) ?? []) : []));
  return [
    { about: 'unknownBreed', name },
    ...species.map((one): Statement => ({ about: 'species', species: one, isNegated: false, isOnlyLiked: false, isDefinite: false })),
  ];
};

/** Words after "a dog that" with which a habit begins. */
const HABIT = /^(likes|loves|like|love|enjoys|can|knows|will|won't|doesn't|does not|don't|never|always|gets|hates)$/;
/** Words after which no habit follows: "a dog that can live with us". */
const NO_HABIT =
  /^(be|a|an|the|me|us|my|our|it|to|you|your|this|that|need|needs|cost|costs|fit|fits|suit|suits|match|live|stay|come|go|have|get|take|help|make|mind|matter|work|bother|trigger|cause|set|grow|look|i|we|he|she|they)$/;

/** "A dog that likes puzzles" asks for a habit that no phrase describes. */
const habitStatements = ({ items }: Sentence): readonly Statement[] => {
  const isHabit = items.some(({ text }, at) => {
    if (!/^(that|who|which)$/.test(text) || !HABIT.test(items[at + 1]?.text ?? '') || !isPet(items[at - 1])) return false;
    const [first, ...others] = items.slice(at + 2, at + 7).filter((item) => item.text !== 'to');
    const known = [first, ...others].some((item) => item?.concept && !/^(other|own|pronoun|with|addition)$/.test(item.concept.kind));
    return first !== undefined && !known && !NO_HABIT.test(first.text.split(' ')[0]);
  });
  return isHabit ? [{ about: 'unrecorded', trait: 'behaviour' }] : [];
};

const isPet = (item: Item | undefined): boolean =>
  /^(species|breed|stage)$/.test(item?.concept?.kind ?? '') || PET_WORDS.has(item?.text ?? '') || item?.text === 'something';

const OF_PREDICATE = /^(gender|color|size|health|stage)$/;

/** Whether an adjective is what a question asks of a pet: "the cheapest rabbit, and is it male?" */
const isAskedOfPet = (items: Sentence['items'], at: number): boolean => {
  let before = at - 1;
  while (/^(a|an|very|already|really|still|too|so)$/.test(items[before]?.text ?? '')) before--;
  return (
    OF_PREDICATE.test(items[at].concept?.kind ?? '') &&
    items[before]?.concept?.kind === 'pronoun' &&
    /^(is|are|was)$/.test(items[before - 1]?.text ?? '')
  );
};

const phraseStatements = ({ items }: Sentence): readonly Statement[] =>
  items.flatMap(({ concept, isNegated, text }, at): readonly Statement[] => {
    if (isAskedOfPet(items, at)) return [];
    switch (concept?.kind) {
      case 'species':
      case 'breed':
        return animalStatements(concept, { items, at, isNegated });
      case 'animal':
        return isMissingAnimal(items, at)
          ? [{ about: 'animal', animal: /aquarium|fish tank/.test(text) ? 'animals for an aquarium' : text }]
          : [];
      case 'kids':
        return kidsOf(items, at) === 'grown' ? [] : [{ about: 'children', isNegated: isNegated || haveLeft(items) }];
      case 'unwalked':
        return [{ about: 'species', species: 'DOG', isNegated: true, isOnlyLiked: false, isDefinite: true }];
      case 'health':
        return healthStatement(concept, { items, at, isNegated });
      case 'symptom':
        return concept.of === 'label' ? [{ about: 'unrecorded', trait: 'coat' }] : [];
      case 'covering':
        return coveringStatements(concept.species, items, at);
      case 'unrecorded':
        // "I want to speak to someone" asks for no animal that speaks.
        if (concept.trait === 'speech' && /^(to|with|about)$/.test(items[at + 1]?.text ?? '')) return [];
        return [{ about: 'unrecorded', trait: concept.trait }, ...(/^(fluffy|fluffiest)$/.test(text) && !isNegated ? furred(items) : [])];
      case 'order':
        return orderStatements(concept, isNegated);
      case 'relative':
        return isNegated ? [] : [{ about: 'relative', than: concept.than }];
      case 'indifference':
        return indifferences(items, at);
      default:
        return adjectiveStatements(concept, { items, at, isNegated });
    }
  });

/** Whether the customer looks for an animal that the catalogue has no species for. "A boy who loves dinosaurs" looks for none. */
const isMissingAnimal = (items: Sentence['items'], at: number): boolean =>
  !items.slice(Math.max(0, at - 3), at).some(({ text }) => text === 'who') &&
  !isObject(items, at) &&
  roleAt(items, at) === 'wanted' &&
  !items[at].isNegated;

/** Whether an animal is what another animal deals with: "a dog that can herd sheep", "a cat that ignores fish". */
const isObject = (items: Sentence['items'], at: number): boolean => {
  const animal = items.slice(0, at).findLastIndex((item) => isPet(item));
  return (
    animal >= 0 &&
    items.slice(animal + 1, at).some(({ text }) => /^(that|who|which|to|for)$/.test(text)) &&
    !/^(or|and|,)$/.test(items[at - 1].text)
  );
};

/** "Not the most expensive" asks for cheap pets. */
const orderStatements = ({ by, isSoft }: Extract<Concept, { kind: 'order' }>, isNegated: boolean): readonly Statement[] => {
  if (!isNegated) return [{ about: 'order', by, isSoft: isSoft ?? false }];
  return by === 'dearest' ? [{ about: 'order', by: 'cheapest', isSoft: true }] : [];
};

/** Whether "too" comes before an adjective: "too big" excludes big pets. */
const isTooMuch = (items: Sentence['items'], at: number): boolean => items[at - 1]?.text === 'too';

/** An item of a sentence: its position, and whether a negation applies to it. */
type Place = { readonly items: Sentence['items']; readonly at: number; readonly isNegated: boolean };

const animalStatements = (
  concept: Extract<Concept, { kind: 'species' | 'breed' }>,
  { items, at, isNegated }: Place,
): readonly Statement[] => {
  const role = roleAt(items, at);
  const { species } = concept;
  if (role === 'owned' || role === 'met')
    return [
      ...(species && !isNegated ? [{ about: 'ownPet', species } as const] : []),
      ...(role === 'met' || !isNegated ? [{ about: 'unrecorded', trait: 'company' } as const] : []),
    ];
  if (role === 'past' || isAged(items, at)) return [];
  if (isNegated && species && concept.kind === 'species' && isDescribed(items, at)) return [wanted(species)];
  // "No big dogs" excludes big dogs, not all dogs.
  if (isNegated && (isNegatedAdjective(items[at - 1]) || items.slice(at + 1, at + 4).some(isNegatedBound)))
    return species &&
      concept.kind === 'species' &&
      items.some((item, nth) => item.concept?.kind === 'want' || (nth > at && item.text === 'one'))
      ? [wanted(species)]
      : [];
  // In "a sphynx cat", "cat" is a part of the breed, and not any cat.
  if (concept.kind === 'species' && isOfBreed(items[at - 1], concept.species)) return [];
  if (concept.kind === 'breed') return [{ about: 'breed', breed: concept.breed, species: concept.species, isNegated }];
  return [
    { about: 'species', species: concept.species, isNegated, isOnlyLiked: isOnlyLiked(items, at), isDefinite: isDefinite(items, at) },
  ];
};

/** "I don't want a dog that barks a lot" excludes loud dogs, not all dogs. */
const isDescribed = (items: Sentence['items'], at: number): boolean =>
  /^(that|which|who)$/.test(items[at + 1]?.text ?? '') &&
  / (?:want|wants|like|need) (?:a|an|any|another) $/.test(textOf(items.slice(0, at)));

const wanted = (species: Species): Statement => ({ about: 'species', species, isNegated: false, isOnlyLiked: false, isDefinite: true });

/** Whether a bound is negated. "No dogs older than 5 years" excludes old dogs, not all dogs. */
const isNegatedBound = ({ concept, isNegated }: Item): boolean => concept?.kind === 'bound' && isNegated;

const isOfBreed = (before: Item | undefined, species: Species): boolean =>
  before?.concept?.kind === 'breed' && before.concept.species === species;

/** Whether a sentence states the age of an animal that the customer has: "the dog is 3". */
const isAged = (items: Sentence['items'], at: number): boolean =>
  isDefinite(items, at) && items[at + 1]?.text === 'is' && isNumeric(items[at + 2]);

/** Whether an animal was probably named before: "the dog", "that cat". */
const isDefinite = (items: Sentence['items'], at: number): boolean =>
  /^(the|that|this|it|my first|our first)$/.test(items[at - 1]?.text ?? '');

const isNegatedAdjective = (item: Item | undefined): boolean =>
  item !== undefined && item.isNegated && /^(size|stage|color|gender|health)$/.test(item.concept?.kind ?? '');

const adjectiveStatements = (concept: Concept | null, { items, at, isNegated }: Place): readonly Statement[] => {
  switch (concept?.kind) {
    case 'stage': {
      if (isBabyOfPeople(items, at)) return [{ about: 'children', isNegated: false }];
      const role = concept.species && roleAt(items, at);
      if (role === 'owned' || role === 'met') return concept.species ? [{ about: 'ownPet', species: concept.species }] : [];
      if (role === 'past' || (!concept.species && !describesPet(items, at))) return [];
      return [{ about: 'stage', stage: concept.stage, species: concept.species, isNegated: isNegated || isTooMuch(items, at) }];
    }
    case 'size':
      return describesPet(items, at) ? [{ about: 'size', size: concept.size, isNegated: isNegated || isTooMuch(items, at) }] : [];
    case 'gender':
      // "A 10 year old boy" is a child.
      if (items[at - 1]?.concept?.kind === 'unit' && !/^(species|breed|stage)$/.test(items[at + 1]?.concept?.kind ?? '')) return [];
      // "My boy" and "our girl" are children. "Our female cat" is an animal.
      if (/^(my|our)$/.test(items[at - 1]?.text ?? '') && !/^(species|breed|stage)$/.test(items[at + 1]?.concept?.kind ?? ''))
        return [{ about: 'children', isNegated: false }];
      return describesPet(items, at) ? [{ about: 'gender', gender: concept.gender, isNegated }] : [];
    case 'color':
      return describesPet(items, at) ? [{ about: 'color', color: concept.color, isNegated }] : [];
    default:
      return [];
  }
};

const healthStatement = ({ field, value }: Extract<Concept, { kind: 'health' }>, { items, at, isNegated }: Place): readonly Statement[] => {
  // "Special needs are fine" accepts pets with special needs, and pets without.
  const isAccepted = items.some(
    ({ concept, text }) =>
      concept?.kind === 'acceptance' || (concept?.kind === 'indifference' && text !== 'any') || /^(ok|okay|welcome)$/.test(text),
  );
  if (isAccepted) return [{ about: 'indifference', slot: 'health' }];
  // "My gran is blind on one eye."
  const hasAnimal = items.some((item) => isPet(item) || item.concept?.kind === 'pet' || item.concept?.kind === 'query');
  if (
    !hasAnimal &&
    items.slice(0, at).some((item) => /^(she|he|who|gran|grandma|grandpa|mother|mum|mom|father|dad|husband|wife|person)$/.test(item.text))
  )
    return [];
  // "I'm blind" is about the customer.
  if (/^(i'm|am|i)$/.test(items[at - 1]?.text ?? '')) return [];
  // "Fixed budget" is not about a neutered pet.
  if (items[at]?.text === 'fixed' && items[at + 1]?.concept?.kind === 'slot') return [];
  return [{ about: 'health', field, value, isNegated }];
};

/** Returns the slots that the customer does not care about: "any size", "the colour doesn't matter". */
const indifferences = (items: Sentence['items'], at: number): readonly Statement[] => {
  // "Anything that is small" wants a size.
  if (/^(anything|any)$/.test(items[at].text) && /^(that|which|who)$/.test(items[at + 1]?.text ?? '')) return [];
  // "Any" applies to the next word only: "any black cats" still wants the colour black.
  const near = /^any/.test(items[at].text)
    ? items.slice(at + 1, at + 2).filter(({ concept }) => concept?.kind === 'slot')
    : [...items.slice(Math.max(0, at - 4), at).reverse(), ...items.slice(at + 1, at + 4)];
  return near.flatMap(({ concept }): readonly Statement[] => {
    if (concept?.kind === 'slot') return [{ about: 'indifference', slot: concept.slot }];
    if (concept?.kind === 'gender') return [{ about: 'indifference', slot: 'gender' }];
    if (concept?.kind === 'color') return [{ about: 'indifference', slot: 'color' }];
    return [];
  });
};

type Negatable<T> = T & { readonly isNegated: boolean };

/** One thing that a sentence says about the pet, or about the customer. */
export type Statement =
  | Negatable<{ readonly about: 'species'; readonly species: Species; readonly isOnlyLiked: boolean; readonly isDefinite: boolean }>
  | Negatable<{ readonly about: 'breed'; readonly breed: string; readonly species: Species | null }>
  | Negatable<{ readonly about: 'stage'; readonly stage: Stage; readonly species: Species | undefined }>
  | Negatable<{ readonly about: 'size'; readonly size: Size }>
  | Negatable<{ readonly about: 'children' }>
  | Negatable<{ readonly about: 'gender'; readonly gender: Gender }>
  | Negatable<{ readonly about: 'color'; readonly color: string }>
  | Negatable<{ readonly about: 'health'; readonly field: HealthField; readonly value: boolean }>
  | { readonly about: 'unrecorded'; readonly trait: Unrecorded }
  | { readonly about: 'animal'; readonly animal: string }
  | { readonly about: 'unknownBreed'; readonly name: string }
  | { readonly about: 'ownPet'; readonly species: Species }
  | { readonly about: 'order'; readonly by: Order; readonly isSoft: boolean }
  | { readonly about: 'relative'; readonly than: 'cheaper' | 'younger' | 'older' | 'smaller' | 'larger' }
  | { readonly about: 'indifference'; readonly slot: Slot };

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

/** Words for a place, which begin the names of many breeds: "norwegian", "tibetan". */
const OF_PLACE =
  /^(norwegian|swedish|finnish|danish|icelandic|russian|siberian|german|french|spanish|italian|portuguese|belgian|dutch|swiss|irish|scottish|welsh|english|british|american|canadian|alaskan|australian|japanese|chinese|tibetan|indian|turkish|persian|afghan|african|egyptian|arabian|mexican|brazilian|peruvian|himalayan|hungarian|polish|czech|bohemian|bavarian|austrian|greek|romanian|caucasian|korean|thai|vietnamese|cuban|argentine)$/;
/** The maximum number of words before an animal that can belong to its breed. */
const MOST_WORDS = 3;

/**
 * Returns the name of a breed that the advisor does not know, for example "Norwegian Snow Retriever". The words before the animal
 * belong to it if one of them has a capital or is of a place.
 */
export const unknownBreedIn = ({ items, tokens }: Sentence): string | null => {
  for (const [at, { concept, text, isNegated }] of items.entries()) {
    const token = concept === null ? tokenOf(tokens, text) : undefined;
    const isCompound = token !== undefined && compoundSpecies(token.word) !== null;
    if (!(isAnimal(concept) || isCompound) || isNegated) continue;
    let from = at;
    while (from > 0 && at - from < MOST_WORDS && items[from - 1].concept === null && isPart(tokenOf(tokens, items[from - 1].text))) from--;
    const words = items.slice(from, at).map((item) => tokenOf(tokens, item.text));
    const isName = words.some((token) => token && (isStrange(token) || OF_PLACE.test(token.word)));
    if (isName || isCompound)
      return [...words.map((token) => token?.text), ...text.split(' ').map((word) => tokenOf(tokens, word)?.text ?? word)].join(' ');
  }
  return null;
};

/** Endings of the names of breeds: "moonhound", "maltidoodle". */
const ENDINGS: readonly (readonly [ending: RegExp, species: Species])[] = [
  [/^[a-z]{3,}(?:hounds?|doodles?|poos?|terriers?|shepherds?|retrievers?|spaniels?|mastiffs?|dogs?)$/, 'DOG'],
  [/^[a-z]{3,}(?:cats?|coons?)$/, 'CAT'],
];

/** The species of a word that ends like the name of a breed and that is no usual word, or null. */
export const compoundSpecies = (word: string): Species | null =>
  isOrdinaryWord(word) ||
  isEverydayWord(word) ||
  /^(hotdogs?|underdogs?|wildcats?|copycats?|shampoos?|tattoos?|raccoons?|bobcats?|tomcats?|housecats?|lapdogs?|sheepdogs?|watchdogs?|bulldogs?|hellhounds?)$/.test(
    word,
  )
    ? null
    : (ENDINGS.find(([ending]) => ending.test(word))?.[1] ?? null);

const tokenOf = (tokens: readonly Token[], word: string): Token | undefined => tokens.find((token) => token.word === word);
const isStrange = (token: Token): boolean => isCapitalised(token) && !isOrdinaryWord(token.word);
const isPart = (token: Token | undefined): boolean =>
  token !== undefined &&
  /^[a-z]/.test(token.word) &&
  (isCapitalised(token) || OF_PLACE.test(token.word) || !isOrdinaryWord(token.word)) &&
  !/^(hi|hello|hey|i|dear|please|i'm)$/.test(token.word);
