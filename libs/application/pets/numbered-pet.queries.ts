import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { PetStatus } from '../../domain/pets/pet.events.js';
import type { Documents, StoredDocument, Where } from '../../eventsourcing/ports/documents.port.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { PETS } from '../aggregates.js';
import { viewByNumber } from '../reading.js';
import type { ResultOf, View } from '../request.js';
import { DOCUMENTS } from '../tokens.js';
import { viewOf } from '../views.js';

const { projection } = PETS;

/**
 * A condition that every pet meets. During a rebuild, an older version of the read model answers the queries whose fields it
 * has. This condition adds the field `number`, so that a version without numbers does not answer.
 */
const NUMBERED: Where = { number: { from: 0 } };

/**
 * Selects the pets with members of the classic variant. These members are stored as the text of a JSON object, which begins
 * with `{`. Other pets have null, which is in no range.
 */
const WITH_CLASSIC: Where = { classic: { from: '{' } };

/** The number of pets that the search for tags reads at a time. */
const PAGE = 500;

/** The pet with this number, in any status, or null. */
export class GetPetByNumber extends Query<View | null> {
  constructor(
    readonly number: number,
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(GetPetByNumber)
export class GetPetByNumberHandler implements IQueryHandler<GetPetByNumber> {
  constructor(@Inject(DOCUMENTS) private readonly documents: Documents) {}

  execute({ number, tenant }: GetPetByNumber): Promise<ResultOf<GetPetByNumber>> {
    return viewByNumber(this.documents, projection, number, tenant);
  }
}

/** The first `limit` pets with one of the statuses, newest first. */
export class FindNumberedPets extends Query<readonly View[]> {
  constructor(
    readonly statuses: readonly PetStatus[],
    readonly limit: number,
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(FindNumberedPets)
export class FindNumberedPetsHandler implements IQueryHandler<FindNumberedPets> {
  constructor(@Inject(DOCUMENTS) private readonly documents: Documents) {}

  async execute({ statuses, limit, tenant }: FindNumberedPets): Promise<ResultOf<FindNumberedPets>> {
    // The index has the pets of one status newest first. For one query with several statuses, the store would sort all pets.
    const found = await Promise.all(
      statuses.map((status) =>
        this.documents.find(projection.collection, { where: { tenant, status, ...NUMBERED }, sort: ['-createdAt'], limit, offset: 0 }),
      ),
    );
    const newest = found.flat().toSorted((one, other) => compareTexts(orderOf(other), orderOf(one)));
    return newest.slice(0, limit).map((document) => viewOf(document, projection));
  }
}

/** Returns a text that sorts pets as the store does: by the time of creation, and pets with equal times by key. */
const orderOf = ({ key, fields }: StoredDocument): string => `${String(fields['createdAt'])} ${key}`;
const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** The first `limit` pets with one of the statuses and one of the tags, in the order of their numbers. */
export class FindPetsByTags extends Query<readonly View[]> {
  constructor(
    readonly tags: readonly string[],
    readonly statuses: readonly PetStatus[],
    readonly limit: number,
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(FindPetsByTags)
export class FindPetsByTagsHandler implements IQueryHandler<FindPetsByTags> {
  constructor(@Inject(DOCUMENTS) private readonly documents: Documents) {}

  /**
   * No index contains tags, so this reads all pets with members of the classic variant, page by page. SQLite blocks the event
   * loop during a read, so the method yields to other work between two pages.
   */
  async execute({ tags, statuses, limit, tenant }: FindPetsByTags): Promise<ResultOf<FindPetsByTags>> {
    const wanted = new Set(tags);
    const found: StoredDocument[] = [];
    for (let from = 0; found.length < limit;) {
      const where = { tenant, status: { in: statuses }, ...WITH_CLASSIC, number: { from } };
      const page = await this.documents.find(projection.collection, { where, sort: ['number'], limit: PAGE, offset: 0 });
      found.push(...page.filter((pet) => tagsOf(pet).some((tag) => wanted.has(tag))));
      const last = page.at(-1)?.fields['number'];
      if (page.length < PAGE || typeof last !== 'number') break;
      from = last + 1;
      await yieldToEventLoop();
    }
    return found.slice(0, limit).map((document) => viewOf(document, projection));
  }
}

const tagsOf = ({ fields }: StoredDocument): readonly string[] => {
  const { tags = [] } = JSON.parse(String(fields['classic'])) as { readonly tags?: readonly { readonly name?: string }[] };
  return tags.flatMap(({ name }) => name ?? []);
};

/** The query handlers of pets by their numbers, for the module. */
export const NUMBERED_PET_QUERY_HANDLERS = [GetPetByNumberHandler, FindNumberedPetsHandler, FindPetsByTagsHandler];
