import type { Species } from '../../domain/pets/pet.events.js';
import type { Item } from '../reading/item.js';
import type { Sentence } from '../reading/sentence.js';
import type { Concept } from '../words/concept.js';
import { PET_WORDS } from '../words/animals.js';
import { coveringStatements, furred } from './coverings.js';
import { isNumeric } from './number-context.js';
import type { Statement } from './statement.js';
import { compoundSpecies, unknownBreedIn } from './unknown-breeds.js';
import { describesPet, isOnlyLiked, roleAt } from './roles.js';
import { agesOfPeople, haveLeft, isBabyOfPeople, kidsOf, livesAlone } from '../suiting/people.js';

/** Reads what a sentence says. `measuresOf` reads its numbers. */
export const statementsOf = (sentence: Sentence): readonly Statement[] => [
  ...phraseStatements(sentence),
  ...habitStatements(sentence),
  ...(livesAlone(sentence.items) ? [{ about: 'children', isNegated: true } as const] : []),
  ...unknownBreeds(sentence),
  ...(agesOfPeople(sentence.items).some((years) => years < 14) ? [{ about: 'children', isNegated: false } as const] : []),
];

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
        // "Doesn't bark" is about noise too.
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
