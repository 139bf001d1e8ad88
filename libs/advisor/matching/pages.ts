import type { Catalogue, CatalogueCriteria, CataloguePet } from '../catalogue.js';

/** The number of pets that one read of the catalogue returns. */
export const PAGE = 500;

/**
 * Reads all pets that meet the criteria, in the catalogue's order (contract 40.9). A reader that has found enough stops early.
 * If the catalogue changes meanwhile, a pet can move to a later page. Such a pet is returned once.
 */
export async function* pagesOf(catalogue: Catalogue, criteria: CatalogueCriteria): AsyncGenerator<readonly CataloguePet[]> {
  const read = new Set<string>();
  for (let page = 1; ; page++) {
    const { pets } = await catalogue.available(criteria, PAGE, page);
    yield pets.filter(({ id }) => !read.has(id));
    if (pets.length < PAGE) return;
    for (const { id } of pets) read.add(id);
  }
}
