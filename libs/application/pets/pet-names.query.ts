import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { PetStatus } from '../../domain/pets/pet.events.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import { foldPetName, petNamesProjection } from '../../projections/pet-names.projection.js';
import { PETS } from '../aggregates.js';
import { viewInTenant } from '../reading.js';
import type { ResultOf, View } from '../request.js';
import { DOCUMENTS } from '../tokens.js';

/** The maximum number of names in a query. */
const MAX_NAMES = 50;
/** The maximum number of pets that are returned. */
const MAX_PETS = 20;
/** The maximum number of pets that a query reads, before it leaves out NOT_AVAILABLE pets. */
const MAX_READ = 200;

const AVAILABLE: PetStatus = 'AVAILABLE';
const HIDDEN: PetStatus = 'NOT_AVAILABLE';

/** The JSON texts of pets with these names, AVAILABLE pets first. Ignores upper and lower case. Leaves out NOT_AVAILABLE pets. */
export class FindPetsByName extends Query<readonly string[]> {
  constructor(
    readonly names: readonly string[],
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(FindPetsByName)
export class FindPetsByNameHandler implements IQueryHandler<FindPetsByName> {
  constructor(@Inject(DOCUMENTS) private readonly documents: Documents) {}

  async execute({ names, tenant }: FindPetsByName): Promise<ResultOf<FindPetsByName>> {
    const folded = [...new Set(names.map(foldPetName))].slice(0, MAX_NAMES);
    if (folded.length === 0) return [];
    const where = { tenant, name: { in: folded } };
    const found = await this.documents.find(petNamesProjection.collection, { where, sort: [], limit: MAX_READ, offset: 0 });
    const views = await Promise.all(found.map(({ key }) => viewInTenant(this.documents, PETS.projection, key, tenant)));
    const visible = views.flatMap((view) => (view && view.fields['status'] !== HIDDEN ? [view] : []));
    const rank = ({ fields }: View): number => (fields['status'] === AVAILABLE ? 0 : 1);
    return visible
      .toSorted((one, other) => rank(one) - rank(other))
      .slice(0, MAX_PETS)
      .map(({ json }) => json);
  }
}

/** The query handlers of the names of pets, for the module. */
export const PET_NAME_QUERY_HANDLERS = [FindPetsByNameHandler];
