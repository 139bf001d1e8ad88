import type { CataloguePet } from '../catalogue.js';
import type { Fact } from '../words/concept.js';
import { ageText, dateText, nameText, plainText, priceText, quoted, SIZE_WORDS, STATUS_WORDS } from './pet-facts.js';

/** In characters. */
export const LONGEST_QUOTATION = 240;
export const NOT_STATED = 'not stated';

/** The name of each fact in a comparison, and in a sentence such as "the catalogue states no price". */
export const LABELS: Readonly<Record<Fact, string>> = {
  price: 'price',
  age: 'age',
  arrival: 'date of arrival',
  breed: 'breed',
  size: 'size',
  gender: 'gender',
  color: 'colour',
  children: 'good with children',
  status: 'status',
  description: 'description',
  vaccinated: 'vaccinated',
  spayedNeutered: 'spayed or neutered',
  microchipped: 'microchipped',
  specialNeeds: 'special needs',
};

const yesNo = (value: boolean | undefined): string => (value === undefined ? NOT_STATED : value ? 'yes' : 'no');

/** The value of one field, as words. */
export const factValue = (pet: CataloguePet, fact: Fact): string => {
  switch (fact) {
    case 'price':
      return priceText(pet) ?? NOT_STATED;
    case 'age':
      return ageText(pet.ageMonths);
    case 'arrival':
      return pet.createdAt === undefined ? NOT_STATED : dateText(pet.createdAt);
    case 'breed':
      return pet.breed ? plainText(pet.breed) : NOT_STATED;
    case 'size':
      return pet.size ? SIZE_WORDS[pet.size] : NOT_STATED;
    case 'gender':
      return pet.gender && pet.gender !== 'UNKNOWN' ? pet.gender.toLowerCase() : NOT_STATED;
    case 'color':
      return pet.color ? plainText(pet.color) : NOT_STATED;
    case 'children':
      return yesNo(pet.goodWithKids);
    case 'status':
      return STATUS_WORDS[pet.status];
    case 'description':
      return pet.description ? quoted(pet.description, LONGEST_QUOTATION) : NOT_STATED;
    default:
      return yesNo(pet.medicalInfo?.[fact]);
  }
};

const FLAGS: Readonly<Partial<Record<Fact, readonly [yes: string, no: string]>>> = {
  children: ['is good with children', 'is not good with children'],
  vaccinated: ['is vaccinated', 'is not vaccinated'],
  spayedNeutered: ['is spayed or neutered', 'is not spayed or neutered'],
  microchipped: ['is microchipped', 'is not microchipped'],
  specialNeeds: ['has special needs', 'has no special needs'],
};

/** Roughly how old a person would be: the first year of a dog or a cat counts about 15, the second 9, each further one 4 or 5. */
export const humanYearsText = (pet: CataloguePet): string => {
  const { species, ageMonths, size } = pet;
  const name = nameText(pet);
  if (species !== 'DOG' && species !== 'CAT')
    return `${name} is ${ageText(ageMonths)} old. For this kind of animal I cannot convert that into human years.`;
  const perYear = species === 'DOG' && size === 'LARGE' ? 6 : species === 'DOG' && size === 'MEDIUM' ? 5 : 4;
  const years = ageMonths / 12;
  const human = years <= 1 ? 15 * years : years <= 2 ? 15 + 9 * (years - 1) : 24 + perYear * (years - 2);
  return `${name} is ${ageText(ageMonths)} old, roughly like a person of ${Math.max(1, Math.round(human))}. That is a rule of thumb.`;
};

/** One fact of a pet as a sentence. */
export const factSentence = (pet: CataloguePet, fact: Fact): string => {
  const name = nameText(pet);
  const value = factValue(pet, fact);
  const flag = FLAGS[fact];
  const notes = fact === 'specialNeeds' && pet.medicalInfo?.healthNotes;
  if (value === NOT_STATED)
    return flag ? `The catalogue does not say whether ${name} ${flag[0]}.` : `The catalogue states no ${LABELS[fact]} for ${name}.`;
  if (flag)
    return `${name} ${value === 'yes' ? flag[0] : flag[1]}.${notes ? ` The health notes say: ${quoted(notes, LONGEST_QUOTATION)}` : ''}`;
  switch (fact) {
    case 'price':
      return `${name} costs ${value}.`;
    case 'age':
      return `${name} is ${value} old.`;
    case 'arrival':
      return `${name} has been in the catalogue since ${value}.`;
    case 'description':
      return `The description of ${name} says: ${value}`;
    case 'breed':
    case 'color':
      return `The ${LABELS[fact]} of ${name} is ${value}.`;
    default:
      return `${name} is ${value}.`;
  }
};
