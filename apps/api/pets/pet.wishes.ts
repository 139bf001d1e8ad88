import type { PetCriteria, PetSort } from '../../../libs/application/pets/pet.queries.js';
import type { PetDetails } from '../../../libs/domain/pets/pet.events.js';
import type { PetFields } from './pet.dto.js';
import type { PetSearch } from './pet-search.dto.js';

const DETAILS = [
  'name',
  'species',
  'breed',
  'ageMonths',
  'size',
  'color',
  'gender',
  'goodWithKids',
  'price',
  'currency',
  'description',
  'photos',
  'medicalInfo',
] as const satisfies readonly (keyof PetDetails)[];

/** What a body says of a pet, read-only fields left behind. "currency …, default USD when a price is given." */
export const petDetails = (body: PetFields): PetDetails => {
  const details: Partial<Record<keyof PetDetails, unknown>> = {};
  for (const name of DETAILS) if (body[name] !== undefined) details[name] = body[name];
  if (body.price !== undefined) details.currency ??= 'USD';
  return details as PetDetails;
};

/** What a search asks for; an empty list rules nothing out. */
export const searchCriteria = ({ criteria = {} }: PetSearch): PetCriteria => {
  const { species, size, ...others } = criteria;
  return { ...others, ...(species?.length && { species }), ...(size?.length && { size }) };
};

/** In which order a search wants its pets, if it says. */
export const searchSort = ({ sort }: PetSearch): PetSort | undefined => sort && { field: sort.field, order: sort.order ?? 'ASC' };
