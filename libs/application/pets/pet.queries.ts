import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { PET_STATUSES } from '../../domain/pets/pet.events.js';
import type { Condition, Documents, Where } from '../../eventsourcing/ports/documents.port.js';
import { PETS } from '../aggregates.js';
import { pageOf, viewInTenant } from '../reading.js';
import type { AnswerOf } from '../request.js';
import { DOCUMENTS } from '../tokens.js';
import { GetPet, ListPets, SearchPets, type PetCriteria, type PetFilter, type PetSort } from './pet.requests.js';

@QueryHandler(GetPet)
export class GetPetHandler implements IQueryHandler<GetPet> {
  constructor(@Inject(DOCUMENTS) private readonly documents: Documents) {}

  async execute({ id, tenant }: GetPet): Promise<AnswerOf<GetPet>> {
    return viewInTenant(this.documents, PETS.projection, id, tenant);
  }
}

@QueryHandler(ListPets)
export class ListPetsHandler implements IQueryHandler<ListPets> {
  constructor(@Inject(DOCUMENTS) private readonly documents: Documents) {}

  async execute({ filter, page, limit, tenant }: ListPets): Promise<AnswerOf<ListPets>> {
    const where = { tenant, ...filterWhere(filter) };
    return pageOf(this.documents, PETS.projection.collection, { where, sort: ['-createdAt'], page, limit }, 'sum');
  }
}

@QueryHandler(SearchPets)
export class SearchPetsHandler implements IQueryHandler<SearchPets> {
  constructor(@Inject(DOCUMENTS) private readonly documents: Documents) {}

  async execute({ criteria, sort, page, limit, tenant }: SearchPets): Promise<AnswerOf<SearchPets>> {
    // "No status criterion exists: search finds AVAILABLE pets."
    const where = { tenant, status: 'AVAILABLE', ...criteriaWhere(criteria) };
    const totals = criteria.medical && Object.keys(criteria.medical).length > 0 ? 'count' : 'sum';
    return pageOf(this.documents, PETS.projection.collection, { where, sort: sortOf(sort), page, limit }, totals);
  }
}

const filterWhere = ({ status, species, ageMin, ageMax, size, goodWithKids }: PetFilter): Where =>
  said({
    // Each status by name: an index that begins with the status gives the order of all of them.
    status: status === 'ALL' ? { in: PET_STATUSES } : status,
    species,
    size,
    goodWithKids: flag(goodWithKids),
    ageMonths: range(ageMin, ageMax),
  });

const criteriaWhere = ({ species, size, ageRange, compatibility, medical }: PetCriteria): Where =>
  said({
    species: species && { in: species },
    size: size && { in: size },
    ageMonths: range(ageRange?.min, ageRange?.max),
    goodWithKids: flag(compatibility?.goodWithKids),
    vaccinated: flag(medical?.vaccinated),
    spayedNeutered: flag(medical?.spayedNeutered),
    specialNeeds: flag(medical?.specialNeeds),
  });

const sortOf = (sort: PetSort | undefined): readonly string[] => {
  if (!sort) return ['-createdAt'];
  // "Price sorts as a decimal, not as text; missing prices last."
  const field = sort.field === 'price' ? 'priceMinor' : 'ageMonths';
  // Downwards the ties are turned too, so that one index serves both directions.
  return sort.order === 'DESC' ? [`-${field}`, 'key'] : [field];
};

const flag = (value: boolean | undefined): 0 | 1 | undefined => (value === undefined ? undefined : value ? 1 : 0);

const range = (from: number | undefined, to: number | undefined): Condition | undefined =>
  from === undefined && to === undefined ? undefined : { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };

const said = (conditions: Readonly<Record<string, Condition | undefined>>): Where =>
  Object.fromEntries(Object.entries(conditions).filter((entry): entry is [string, Condition] => entry[1] !== undefined));
