import { SIZES, type Size, type Species } from '../../domain/pets/pet.events.js';
import type { Slot } from '../words/concept.js';
import { NO_PREFERENCES, settle, STAGE_MONTHS, WITHOUT_STAGE, type Preferences } from './preferences.js';
import type { Statement } from './statements.js';

type Of<A extends Statement['about']> = Extract<Statement, { about: A }>;

const unique = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];
const pick = <A extends Statement['about']>(statements: readonly Statement[], about: A): readonly Of<A>[] =>
  statements.filter((statement): statement is Of<A> => statement.about === about);

/**
 * Applies statements to the preferences. A statement without a negation, such as "a small dog", replaces earlier preferences
 * of the same kind. An addition (`isAddition`) such as "or maybe a cat" keeps the earlier preferences.
 */
export const applyStatements = (before: Preferences, statements: readonly Statement[], isAddition: boolean): Preferences =>
  [applyAnimals, applyStages, applySizes, applyLooks, applyHealth, applyCircumstances, applyIndifference].reduce(
    (preferences, apply) => apply(preferences, statements, isAddition),
    before,
  );

type Apply = (before: Preferences, statements: readonly Statement[], isAddition: boolean) => Preferences;

const applyAnimals: Apply = (before, statements, isAddition) => {
  const species = pick(statements, 'species');
  const breeds = pick(statements, 'breed');
  const stages = pick(statements, 'stage').filter((stage) => stage.species && !stage.isNegated);
  // "I love dogs but I want a cat": the species that the customer merely likes is ignored if another one is wanted.
  const firm = species.filter((one) => !one.isNegated && !one.isOnlyLiked);
  const named = firm.length > 0 ? firm : species.filter((one) => !one.isNegated);
  const wanted = breeds.filter((one) => !one.isNegated);
  const positive = unique([...named.map((one) => one.species), ...[...wanted, ...stages].flatMap((one) => one.species ?? [])]);
  // "I am allergic to cats but I want a cat": what is wanted in the end counts.
  const lastOf = (one: Species): Of<'species'> | undefined => species.findLast((other) => other.species === one);
  const negative = species.filter((one) => one.isNegated && lastOf(one.species)?.isNegated !== false).map((one) => one.species);
  const others = pick(statements, 'animal').map(({ animal }) => animal);
  if (positive.length + negative.length + breeds.length + others.length === 0) return before;
  const isChanged =
    positive.length > 0 && !isAddition && !positive.some((one) => before.species.includes(one)) && before.species.length > 0;
  // "A dog" drops an earlier breed, but "the dog" does not.
  const isGeneric = breeds.length === 0 && firm.some((one) => !one.isDefinite) && !isAddition;
  // "Kitten" and "puppy" state a species and an age. A change of the species drops this age, too.
  const age = isChanged && before.age.stage === 'BABY' ? {} : before.age;
  const current = isChanged || isGeneric ? { ...before, breeds: [], age } : before;
  const kept = positive.length > 0 && !isAddition ? [] : current.species;
  return {
    ...current,
    species: unique([...kept, ...positive]).filter((one) => !negative.includes(one)),
    notSpecies: unique([...current.notSpecies.filter((one) => !positive.includes(one)), ...negative]),
    ...applyBreeds(current, breeds, isAddition),
    // "A dog like a golden retriever" accepts no other breed of dogs.
    anyBreedOf: unique([
      ...(isAddition ? current.anyBreedOf : []),
      ...named.flatMap((one) => (one.isDefinite ? [] : [one.species])).filter((one) => !wanted.some(({ species: of }) => of === one)),
    ]),
    unknownBreed: pick(statements, 'unknownBreed')[0]?.name ?? (positive.length > 0 ? undefined : current.unknownBreed),
    fallback: positive.length > 0 ? undefined : current.fallback,
    // "A fish or a bird": the answer says that there is no fish.
    otherAnimals: positive.length > 0 ? others : unique([...current.otherAnimals, ...others]).slice(-3),
    settled: settle(current, ...(positive.length > 0 ? (['species'] as const) : [])),
  };
};

const applyBreeds = (
  before: Preferences,
  breeds: readonly Of<'breed'>[],
  isAddition: boolean,
): Pick<Preferences, 'breeds' | 'notBreeds'> => {
  const wanted = breeds.filter((one) => !one.isNegated).map(({ breed }) => breed);
  const unwanted = breeds.filter((one) => one.isNegated).map(({ breed }) => breed);
  return {
    breeds: unique([...(wanted.length > 0 && !isAddition ? [] : before.breeds), ...wanted]).filter((breed) => !unwanted.includes(breed)),
    notBreeds: unique([...before.notBreeds.filter((breed) => !wanted.includes(breed)), ...unwanted]),
  };
};

/** "Kittens, not puppies" does not exclude the age of puppies, because kittens have the same stage. */
const applyStages: Apply = (before, statements) =>
  pick(statements, 'stage')
    .filter(({ stage, isNegated }, _, all) => !isNegated || !all.some((one) => one.stage === stage && !one.isNegated))
    .reduce<Preferences>(
      (preferences, { stage, isNegated }, nth, all) => ({
        ...preferences,
        // "Not too young, not too old" leaves what is between.
        age: isNegated ? { ...(all.length > 1 && nth > 0 && preferences.age), ...WITHOUT_STAGE[stage] } : STAGE_MONTHS[stage],
        settled: settle(preferences, 'age'),
      }),
      before,
    );

/** If the customer excludes every size that was wanted, all sizes that are not excluded are accepted. */
const applySizes: Apply = (before, statements, isAddition) => {
  const sizes = pick(statements, 'size');
  if (sizes.length === 0) return before;
  const wanted = sizes.filter((one) => !one.isNegated).map(({ size }) => size);
  const unwanted = sizes.filter((one) => one.isNegated).map(({ size }) => size);
  const basis: readonly Size[] =
    wanted.length > 0 ? [...(isAddition ? before.sizes : []), ...wanted] : before.sizes.length > 0 ? before.sizes : SIZES;
  const left = unique(basis).filter((size) => !unwanted.includes(size));
  return { ...before, sizes: left.length > 0 ? left : SIZES.filter((size) => !unwanted.includes(size)), settled: settle(before, 'size') };
};

const applyLooks: Apply = (before, statements, isAddition) => {
  const genders = pick(statements, 'gender');
  const positive = unique(genders.filter((one) => !one.isNegated).map(({ gender }) => gender));
  const negative = genders.filter((one) => one.isNegated).map(({ gender }) => gender);
  // A customer who excludes one gender wants the opposite gender. A customer who names both genders accepts any gender.
  const [wanted] =
    positive.length === 1 ? positive : negative.length === 1 ? [negative[0] === 'MALE' ? ('FEMALE' as const) : ('MALE' as const)] : [];
  const colors = pick(statements, 'color');
  const likedColors = colors.filter((one) => !one.isNegated).map(({ color }) => color);
  const dislikedColors = colors.filter((one) => one.isNegated).map(({ color }) => color);
  return {
    ...before,
    gender: positive.length > 1 ? undefined : (wanted ?? before.gender),
    colors: unique([...(likedColors.length > 0 && !isAddition ? [] : before.colors), ...likedColors]).filter(
      (color) => !dislikedColors.includes(color),
    ),
    notColors: unique([...before.notColors.filter((color) => !likedColors.includes(color)), ...dislikedColors]),
  };
};

const applyHealth: Apply = (before, statements) =>
  pick(statements, 'health').reduce<Preferences>((preferences, { field, value, isNegated }) => {
    const wanted = value !== isNegated;
    // "Not vaccinated" is part of a question or states a fact. No customer wants a pet because it is not vaccinated.
    if (!wanted && field !== 'specialNeeds') return preferences;
    return { ...preferences, health: { ...preferences.health, [field]: wanted }, settled: settle(preferences, 'health') };
  }, before);

const applyCircumstances: Apply = (before, statements) => {
  const children = pick(statements, 'children');
  const orders = pick(statements, 'order');
  const owned = pick(statements, 'ownPet').map(({ species }): Species => species);
  const traits = pick(statements, 'unrecorded').map(({ trait }) => trait);
  return {
    ...before,
    ...(children.length > 0 && { children: children.some((one) => !one.isNegated), settled: settle(before, 'children') }),
    order: orders.at(-1)?.by ?? before.order,
    isOrderSoft: orders.at(-1)?.isSoft ?? before.isOrderSoft,
    ownPets: unique([...before.ownPets, ...owned]),
    unrecorded: unique([...before.unrecorded, ...traits]),
  };
};

/** The preferences of a slot when the customer does not care about it. */
const CLEARED: Readonly<Record<Slot, Partial<Preferences>>> = {
  species: { species: [], notSpecies: [], breeds: [], otherAnimals: [] },
  breed: { breeds: [], notBreeds: [] },
  age: { age: {} },
  size: { sizes: [] },
  budget: { budget: {}, order: undefined },
  children: { children: undefined },
  gender: { gender: undefined },
  color: { colors: [], notColors: [] },
  health: { health: NO_PREFERENCES.health },
  allergy: {},
};

const applyIndifference: Apply = (before, statements) =>
  pick(statements, 'indifference').reduce<Preferences>(
    (preferences, { slot }) => ({ ...preferences, ...CLEARED[slot], settled: settle(preferences, slot) }),
    before,
  );
