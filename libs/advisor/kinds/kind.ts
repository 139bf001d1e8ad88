import type { Species } from '../../domain/pets/pet.events.js';
import { capitalised } from '../reading/token.js';
import { ASPECTS, type Rank, type Aspect, type KindText } from './aspects.js';
import { BIRDS_AND_REPTILES } from './birds-and-reptiles.js';
import { BREED_NOTES, BREED_RANKS, BREEDS, DOG_SENTENCES, PORTRAITS } from './breeds.js';
import { MAMMALS } from './mammals.js';

/** The order of the columns of RANKS. The ranks of a lifespan come from its years. */
const COLUMNS =
  'away flat stairs heat cold toddler child senior cats dogs small costs night day plants nolive quiet odour easy effort cuddly walks nowalks travel cage talks tricks pair single coat grooming outdoors tidy unusual guards'.split(
    ' ',
  ) as readonly Aspect[];

/** One digit for each aspect, in groups of five that follow the order of COLUMNS. */
const RANKS: Readonly<Record<string, string>> = {
  dog: '/02122 /23222 /00031 /31110 /32000 /03231 /21103',
  cat: '/23322 /23322 /01220 /32222 /30320 /01231 /22100',
  rabbit: '/22313 /12211 /12223 /33221 /10311 /01301 /23010',
  'guinea pig': '/23311 /13211 /12033 /32221 /20322 /00302 /22310',
  hamster: '/33311 /01201 /13302 /32233 /10333 /00032 /30310',
  ferret: '/12302 /01111 /01120 /32000 /21211 /02311 /21030',
  rat: '/23311 /12201 /13311 /32121 /20323 /02302 /30120',
  gerbil: '/33321 /02201 /13222 /32233 /10333 /01303 /30120',
  mouse: '/33311 /01201 /13302 /32122 /00333 /00302 /30320',
  chinchilla: '/22302 /01101 /11303 /31311 /10312 /01312 /20030',
  budgie: '/23321 /12301 /13032 /31321 /10322 /22302 /31210',
  cockatiel: '/12321 /12201 /12032 /31221 /20312 /12312 /31210',
  canary: '/33321 /11301 /13032 /32332 /00323 /00222 /32310',
  finch: '/33321 /11301 /13032 /32332 /00323 /00302 /32310',
  lovebird: '/12321 /01101 /12032 /30311 /10312 /02312 /31120',
  parrot: '/01320 /00001 /10032 /30200 /20300 /33311 /31021',
  'leopard gecko': '/33311 /12212 /12300 /03323 /10333 /00033 /30330',
  'bearded dragon': '/33321 /12212 /11031 /13222 /20323 /01033 /30330',
  'corn snake': '/33311 /01112 /02300 /23323 /10333 /00033 /30330',
  tortoise: '/31321 /12222 /21033 /33212 /00320 /01033 /33330',
  turtle: '/31321 /01112 /11031 /23111 /00322 /00133 /32320',
  chameleon: '/32300 /00012 /10030 /03301 /00312 /00033 /31330',
  iguana: '/20310 /00101 /10033 /33100 /00210 /01033 /31130',
};

/** The ranks of a kind for every aspect but its lifespan. */
export const ranksOf = (kind: string): Readonly<Partial<Record<Aspect, Rank>>> => {
  const digits = (RANKS[kind] ?? '').replaceAll(/[/ ]/g, '');
  return Object.fromEntries(COLUMNS.map((one, nth) => [one, Number(digits[nth]) as Rank]));
};

/** How a lifespan ranks as a short and as a long one. */
export const lifeRanks = (years: number): Readonly<Record<'shortLife' | 'longLife', Rank>> => {
  const long: Rank = years > 25 ? 3 : years > 12 ? 2 : years > 5 ? 1 : 0;
  return { shortLife: (3 - long) as Rank, longLife: long };
};

/** A kind of animal, or a breed of dog or cat. */
export type Kind = {
  /** In the singular and in the plural. */
  readonly name: string;
  readonly many: string;
  /** The kind that a breed belongs to: "dog" for a husky. */
  readonly base: string;
  readonly species: Species;
  readonly summary: string;
  readonly years: string;
  readonly rank: (aspect: Aspect) => Rank;
  /** One sentence about an aspect. */
  readonly note: (aspect: Aspect) => string;
};

const TEXTS: Readonly<Record<string, KindText>> = { ...MAMMALS, ...BIRDS_AND_REPTILES };
/** The proper nouns in the names of breeds. */
const PROPER =
  /\b(labradors?|jack russells?|german|yorkshire|french|chihuahuas?|great danes?|dobermans?|maltese|pomeranians?|saint bernards?|bernese|cavaliers?|australian|staffordshire|irish|newfoundlands?|maine coons?|siamese|british|persian|bengal|norwegian|russian|burmese|scottish|abyssinians?|border)\b/g;

/** A name of a breed with the capitals of its proper nouns. */
export const properNouns = (text: string): string => text.replaceAll(PROPER, (name) => name.split(' ').map(capitalised).join(' '));

/** The names of kinds that are known by a shorter word. */
const FULL_NAMES: Readonly<Record<string, string>> = { parrot: 'large parrot', turtle: 'water turtle' };

const kindOf = (name: string, text: KindText): Kind => {
  const ranks = { ...ranksOf(name), ...lifeRanks(Number(/\d+(?=\D*$)/.exec(text.years)?.[0] ?? 0)) };
  return {
    name: FULL_NAMES[name] ?? name,
    base: FULL_NAMES[name] ?? name,
    many: text.many,
    species: text.species,
    summary: text.summary,
    years: text.years,
    rank: (aspect) => ranks[aspect] ?? 2,
    note: (aspect) => text[aspect] ?? sentenceOf(text.many, aspect, ranks[aspect] ?? 2, text.years),
  };
};

const sentenceOf = (many: string, aspect: Aspect, rank: Rank, years: string): string =>
  aspect === 'shortLife' || aspect === 'longLife'
    ? `${capitalised(many)} often live ${years} years.`
    : ASPECTS[aspect].notes[rank].replaceAll('{Many}', capitalised(many)).replaceAll('{many}', many);

const breedSentence = (species: string, many: string, aspect: Aspect, rank: Rank, years: string): string => {
  const text = species === 'DOG' ? DOG_SENTENCES[aspect]?.[rank] : undefined;
  return text === undefined ? sentenceOf(many, aspect, rank, years) : text.replaceAll('{Many}', capitalised(many));
};

const KINDS: readonly (readonly [words: readonly string[], kind: Kind])[] = Object.entries(TEXTS).map(([name, text]) => [
  text.words?.split(',') ?? [name],
  kindOf(name, text),
]);

const BREED_KINDS: readonly (readonly [name: string, kind: Kind])[] = Object.entries(BREEDS).flatMap(([species, breeds]) =>
  breeds.map(({ name, many, ranks }) => {
    const base = kindOf(species.toLowerCase(), TEXTS[species.toLowerCase()]);
    const kind: Kind = {
      ...base,
      name: properNouns(name),
      many: properNouns(many),
      summary: PORTRAITS[name] ?? base.summary,
      rank: (aspect) => BREED_RANKS[name]?.[aspect] ?? ranks[aspect] ?? base.rank(aspect),
      note: (aspect) =>
        BREED_NOTES[name]?.[aspect] ??
        (ranks[aspect] === undefined ? base.note(aspect) : breedSentence(species, properNouns(many), aspect, ranks[aspect], base.years)),
    };
    return [name, kind] as const;
  }),
);
const BY_LENGTH = BREED_KINDS.toSorted(([one], [other]) => other.length - one.length);

/** The kinds of whole species. Birds, reptiles and other small pets have none: their kinds differ too much. */
const WHOLE_KINDS: ReadonlyMap<Species, Kind> = new Map(
  KINDS.flatMap(([, kind]) => (/^(dog|cat|rabbit)$/.test(kind.name) ? [[kind.species, kind] as const] : [])),
);

/** Returns the usual kinds of a species, without breeds. */
export const kindsOfSpecies = (species: Species): readonly Kind[] =>
  KINDS.flatMap(([, kind]) => (kind.species === species ? [kind] : [])).slice(0, USUAL);

/** The number of kinds of a species that speak for it. The first ones of each list are the most usual. */
const USUAL = 4;

/** What the guide says about several kinds for an aspect, best first: one sentence for all kinds of a rank. */
export const notesOfKinds = (kinds: readonly Kind[], aspect: Aspect): readonly string[] => {
  if (kinds.length === 1 || aspect === 'shortLife' || aspect === 'longLife') return kinds.map((kind) => kind.note(aspect));
  const groups = [...Map.groupBy(kinds, (kind) => kind.rank(aspect))].toSorted(([one], [other]) => other - one);
  return groups.map(([rank, same]) =>
    same.length === 1 ? same[0].note(aspect) : sentenceOf(listOf(same.map(({ many }) => many)), aspect, rank, ''),
  );
};

const listOf = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** Returns the breeds of a species that suit the aspects better than the species as a whole, the best first. */
export const breedsBy = (whole: Kind, aspects: readonly Aspect[]): readonly Kind[] => {
  const total = (kind: Kind): number => aspects.reduce((sum, aspect) => sum + kind.rank(aspect), 0);
  // "Retriever" and the like are names of groups.
  const isGroup = (name: string): boolean => BREED_KINDS.some(([other]) => other.endsWith(` ${name}`));
  const better = BREED_KINDS.flatMap(([name, kind]) =>
    !isGroup(name) && kind.base === whole.base && whole.name === whole.base && total(kind) > total(whole) ? [kind] : [],
  );
  return better.toSorted((one, other) => total(other) - total(one));
};

/** Returns the kinds without those that an earlier one of the same name repeats. */
export const distinctKinds = (kinds: readonly Kind[]): readonly Kind[] => [...new Map(kinds.map((kind) => [kind.name, kind])).values()];

/** Returns the kind of a breed, such as "syrian hamster" or "husky", or of a species without a breed. Null if it is unknown. */
export const kindNamed = (species: Species | null, breed: string | undefined): Kind | null => {
  const whole = (species && WHOLE_KINDS.get(species)) ?? null;
  if (breed === undefined) return whole;
  const text = ` ${breed.toLowerCase().replaceAll(/[^a-z]+/g, ' ')} `;
  const ofBreed = BY_LENGTH.find(([name, kind]) => kind.species === species && text.includes(` ${name} `))?.[1];
  if (ofBreed) return ofBreed;
  const ofKind = KINDS.find(([words, kind]) => kind.species === species && words.some((word) => text.includes(` ${word} `)))?.[1];
  return ofKind ?? whole;
};
