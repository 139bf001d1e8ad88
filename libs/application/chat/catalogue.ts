import type { QueryBus } from '@nestjs/cqrs';
import type { Catalogue, CataloguePet } from '../../advisor/catalogue.js';
import { SIZES, SPECIES } from '../../domain/pets/pet.events.js';
import type { AdvisorCatalogue } from '../../ports/chat/advisor.port.js';
import { FindPetsByName, SearchPets } from '../pets/pet.queries.js';

/** Returns a pet as the read model has it. The advisor reads only the members of CataloguePet. */
const petOf = (json: string): CataloguePet => JSON.parse(json) as CataloguePet;

/** Returns the catalogue of a tenant, read through the query bus. Each call throws after the signal has aborted. */
export const catalogueOf = (queries: QueryBus, tenant: string, signal: AbortSignal): Catalogue => ({
  async available({ sort, ...criteria }, limit, page = 1) {
    signal.throwIfAborted();
    const { items, totalItems } = await queries.execute(new SearchPets(criteria, sort, page, limit, tenant));
    return { pets: items.map(petOf), total: totalItems };
  },
  async named(names) {
    signal.throwIfAborted();
    return (await queries.execute(new FindPetsByName(names, tenant))).map(petOf);
  },
});

/** Returns the catalogue for a language model. Ignores a species or a size that the model chose and that does not exist. */
export const modelCatalogueOf = (catalogue: Catalogue): AdvisorCatalogue => ({
  available({ species = [], size = [], ...criteria }, limit) {
    const [ofSpecies, ofSize] = [SPECIES.filter((one) => species.includes(one)), SIZES.filter((one) => size.includes(one))];
    const lists = { ...(ofSpecies.length > 0 && { species: ofSpecies }), ...(ofSize.length > 0 && { size: ofSize }) };
    return catalogue.available({ ...criteria, ...lists }, limit);
  },
  named: (names) => catalogue.named(names),
});
