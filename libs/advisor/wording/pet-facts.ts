import type { Gender, PetStatus, Size, Species } from '../../domain/pets/pet.events.js';
import type { CataloguePet } from '../catalogue.js';

export const SPECIES_WORDS: Readonly<Record<Species, readonly [one: string, many: string]>> = {
  DOG: ['dog', 'dogs'],
  CAT: ['cat', 'cats'],
  RABBIT: ['rabbit', 'rabbits'],
  BIRD: ['bird', 'birds'],
  REPTILE: ['reptile', 'reptiles'],
  OTHER: ['other small pet', 'other small pets'],
};
export const SIZE_WORDS: Readonly<Record<Size, string>> = { SMALL: 'small', MEDIUM: 'medium', LARGE: 'large' };
const GENDER_WORDS: Readonly<Record<Gender, string>> = { MALE: 'male', FEMALE: 'female', UNKNOWN: 'gender unknown' };
export const STATUS_WORDS: Readonly<Record<PetStatus, string>> = {
  AVAILABLE: 'available',
  PENDING: 'reserved (PENDING), so I cannot offer it now',
  ADOPTED: 'already adopted (ADOPTED), so I cannot offer it',
  NOT_AVAILABLE: 'not offered at the moment (NOT_AVAILABLE)',
};

const PLAIN = /^[\p{L}\p{M}' ’.()/-]{1,60}$/u;
const LONGEST_VALUE = 60;

/**
 * Returns a text of the staff on one line. A text is quoted if it is long, or has other characters than letters and a few
 * marks (contract 40.3).
 */
export const plainText = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return PLAIN.test(line) ? line : quoted(line, LONGEST_VALUE);
};

/** Returns a text of the staff as a quotation on one line. A text longer than `limit` characters is cut between words. */
export const quoted = (text: string, limit: number): string => {
  const line = text
    .slice(0, limit * 4)
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .replaceAll('"', "'")
    .trim();
  if (line.length <= limit) return `"${line}"`;
  const cut = line.slice(0, limit);
  return `"${cut.slice(0, Math.max(cut.lastIndexOf(' '), limit / 2))} …"`;
};

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;

export const ageText = (months: number): string => {
  if (months < 24) return counted(months, 'month');
  const rest = months % 12;
  return `${counted(Math.floor(months / 12), 'year')}${rest > 0 ? ` and ${counted(rest, 'month')}` : ''}`;
};

/** A day in UTC, for example "4 March 2026". */
export const dateText = (time: string): string =>
  new Date(time).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

export const priceText = ({ price, currency }: Pick<CataloguePet, 'price' | 'currency'>): string | null =>
  price === undefined ? null : `${price}${currency === undefined ? '' : ` ${currency}`}`;

export const nameText = ({ name }: CataloguePet): string => name.replaceAll(/[\s\p{C}]+/gu, ' ').trim();

/**
 * Describes a pet in a few words: "Luna, 2 years old, Beagle (dog)". In a later request, the advisor recognises the pet by
 * this text in its own earlier message.
 */
export const headline = (pet: CataloguePet): string => {
  const [species] = SPECIES_WORDS[pet.species];
  return `${nameText(pet)}, ${ageText(pet.ageMonths)} old, ${pet.breed ? `${plainText(pet.breed)} (${species})` : species}`;
};

/** Returns the gender, size and colour of a pet, as far as the catalogue states them. The headline leaves them out. */
export const detailFacts = (pet: CataloguePet): readonly string[] => {
  const { gender, size, color } = pet;
  const look = [gender && GENDER_WORDS[gender], size && SIZE_WORDS[size], color && plainText(color)].filter(Boolean);
  return look.length > 0 ? [look.join(', ')] : [];
};

/** Returns what the catalogue states about health and children, for example "vaccinated" or "not vaccinated". */
export const careFacts = ({ goodWithKids, medicalInfo = {} }: CataloguePet): readonly string[] => {
  const { vaccinated, spayedNeutered, microchipped, specialNeeds } = medicalInfo;
  const flag = (value: boolean | undefined, yes: string, no: string): readonly string[] => (value === undefined ? [] : [value ? yes : no]);
  return [
    ...flag(goodWithKids, 'good with children', 'not good with children'),
    ...flag(vaccinated, 'vaccinated', 'not vaccinated'),
    ...flag(spayedNeutered, 'spayed or neutered', 'not spayed or neutered'),
    ...flag(microchipped, 'microchipped', 'not microchipped'),
    ...flag(specialNeeds, 'with special needs', 'without special needs'),
  ];
};
