import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { PET_STATUSES, type PetStatus, type Size, type Species } from '../../domain/pets/pet.events.js';
import type { Condition, Documents, Where } from '../../eventsourcing/ports/documents.port.js';
import { PETS } from '../aggregates.js';
import { pageOf, viewInTenant } from '../reading.js';
import type { ResultOf, Page, View } from '../request.js';
import { DOCUMENTS } from '../tokens.js';

/** One pet in any status, or null. */
export class GetPet extends Query<View | null> {
  constructor(
    readonly id: string,
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(GetPet)
export class GetPetHandler implements IQueryHandler<GetPet> {
  constructor(@Inject(DOCUMENTS) private readonly documents: Documents) {}

  async execute({ id, tenant }: GetPet): Promise<ResultOf<GetPet>> {
    return viewInTenant(this.documents, PETS.projection, id, tenant);
  }
}

export type PetFilter = {
  readonly status: PetStatus | 'ALL';
  readonly species?: Species;
  /** In months. Both ends are included. */
  readonly ageMin?: number;
  readonly ageMax?: number;
  readonly size?: Size;
  readonly goodWithKids?: boolean;
};

/** A page of pets, newest first. `page` starts at 1. */
export class ListPets extends Query<Page> {
  constructor(
    readonly filter: PetFilter,
    readonly page: number,
    readonly limit: number,
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(ListPets)
export class ListPetsHandler implements IQueryHandler<ListPets> {
  constructor(@Inject(DOCUMENTS) private readonly documents: Documents) {}

  async execute({ filter, page, limit, tenant }: ListPets): Promise<ResultOf<ListPets>> {
    const where = { tenant, ...filterWhere(filter) };
    return pageOf(this.documents, PETS.projection.collection, { where, sort: ['-createdAt'], page, limit }, 'sum');
  }
}

export type PetCriteria = {
  readonly species?: readonly Species[];
  readonly ageRange?: { readonly min?: number; readonly max?: number };
  readonly size?: readonly Size[];
  readonly compatibility?: { readonly goodWithKids?: boolean };
  readonly medical?: { readonly vaccinated?: boolean; readonly spayedNeutered?: boolean; readonly specialNeeds?: boolean };
};

export type PetSort = { readonly field: 'ageMonths' | 'price' | 'createdAt'; readonly order: 'ASC' | 'DESC' };

/** A page of AVAILABLE pets that meet all criteria, newest first by default. */
export class SearchPets extends Query<Page> {
  constructor(
    readonly criteria: PetCriteria,
    readonly sort: PetSort | undefined,
    readonly page: number,
    readonly limit: number,
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(SearchPets)
export class SearchPetsHandler implements IQueryHandler<SearchPets> {
  constructor(@Inject(DOCUMENTS) private readonly documents: Documents) {}

  async execute({ criteria, sort, page, limit, tenant }: SearchPets): Promise<ResultOf<SearchPets>> {
    // A search only finds AVAILABLE pets (contract 12.10).
    const where = { tenant, status: 'AVAILABLE', ...criteriaWhere(criteria) };
    const totals = criteria.medical && Object.keys(criteria.medical).length > 0 ? 'count' : 'sum';
    return pageOf(this.documents, PETS.projection.collection, { where, sort: sortOf(sort), page, limit }, totals);
  }
}

const filterWhere = ({ status, species, ageMin, ageMax, size, goodWithKids, ...others }: PetFilter): Where =>
  definedConditions(others, {
    // For ALL, the condition names every status, so that the store can use an index that has the status before the sort field.
    status: status === 'ALL' ? { in: PET_STATUSES } : status,
    species,
    size,
    goodWithKids: flag(goodWithKids),
    ageMonths: range(ageMin, ageMax),
  });

const criteriaWhere = ({ species, size, ageRange = {}, compatibility = {}, medical = {}, ...others }: PetCriteria): Where => {
  const { min, max, ...otherAges } = ageRange;
  const { goodWithKids, ...otherCompatibilities } = compatibility;
  const { vaccinated, spayedNeutered, specialNeeds, ...otherMedical } = medical;
  return definedConditions(
    { ...others, ...otherAges, ...otherCompatibilities, ...otherMedical },
    {
      species: species && { in: species },
      size: size && { in: size },
      ageMonths: range(min, max),
      goodWithKids: flag(goodWithKids),
      vaccinated: flag(vaccinated),
      spayedNeutered: flag(spayedNeutered),
      specialNeeds: flag(specialNeeds),
    },
  );
};

const sortOf = (sort: PetSort | undefined): readonly string[] => {
  if (!sort) return ['-createdAt'];
  // Prices sort as numbers, by their minor units. Pets without a price come last (contract 12.12).
  const field = sort.field === 'price' ? 'priceMinor' : sort.field;
  // An index serves the descending order of `createdAt`, and its reverse.
  if (field === 'createdAt') return sort.order === 'DESC' ? ['-createdAt'] : ['createdAt', 'key'];
  // In descending order, `key` also reverses the order of pets with equal values, so that one index serves both directions.
  return sort.order === 'DESC' ? [`-${field}`, 'key'] : [field];
};

const flag = (value: boolean | undefined): 0 | 1 | undefined => (value === undefined ? undefined : value ? 1 : 0);

const range = (from: number | undefined, to: number | undefined): Condition | undefined =>
  from === undefined && to === undefined ? undefined : { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };

/**
 * Returns the conditions that are set. `_unused` receives the filters that no condition uses. Its type makes such a filter a
 * compile error.
 */
const definedConditions = (_unused: Readonly<Record<string, never>>, conditions: Readonly<Record<string, Condition | undefined>>): Where =>
  Object.fromEntries(Object.entries(conditions).filter((entry): entry is [string, Condition] => entry[1] !== undefined));

/** The query handlers of pets, for the module. */
export const PET_QUERY_HANDLERS = [GetPetHandler, ListPetsHandler, SearchPetsHandler];
