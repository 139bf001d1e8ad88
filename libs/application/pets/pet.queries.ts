import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { PET_STATUSES, type PetStatus, type Size, type Species } from '../../domain/pets/pet.events.js';
import { type Condition, Documents, type Where, type StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import { PETS } from '../aggregates.js';
import { pageOf, viewInTenant, viewByNumber } from '../reading.js';
import type { ResultOf, Page, View } from '../request.js';
import { blobOf, type ImageType } from '../../domain/pets/pet-image.js';
import { Blobs, type OpenBlob } from '../../ports/blobs.port.js';
import { ImageProcessor } from '../../ports/image-processor.port.js';
import type { Pet } from '../../projections/pets.projection.js';
import { imagesOf } from '../../projections/photo-references.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { viewOf } from '../views.js';
import { foldPetName, petNamesProjection } from '../../projections/pet-names.projection.js';

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
  constructor(private readonly documents: Documents) {}

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
  constructor(private readonly documents: Documents) {}

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
  constructor(private readonly documents: Documents) {}

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

/** The widths in pixels in which an image is served, besides its own width (contract 37.5). */
export const IMAGE_WIDTHS = [160, 320, 640, 1280] as const;
export type ImageWidth = (typeof IMAGE_WIDTHS)[number];

/** The content of an image, and the SHA-256 of its bytes. */
export type ImageContent = OpenBlob & { readonly mediaType: ImageType; readonly digest: string };

/** An image of a pet, or null. A null `tenant` permits every tenant. This is safe, because nobody can guess the image's id. */
export class GetPetImage extends Query<ImageContent | null> {
  constructor(
    readonly petId: string,
    readonly imageId: string,
    readonly tenant: string | null,
    /** The requested width in pixels, or null for the image's own width. */
    readonly width: ImageWidth | null,
    /** Whether the client accepts WebP in place of the image's own type. */
    readonly acceptsWebp: boolean,
  ) {
    super();
  }
}

@QueryHandler(GetPetImage)
export class GetPetImageHandler implements IQueryHandler<GetPetImage> {
  constructor(
    private readonly documents: Documents,
    private readonly blobs: Blobs,
    private readonly images: ImageProcessor,
  ) {}

  async execute({ petId, imageId, tenant, width, acceptsWebp }: GetPetImage): Promise<ResultOf<GetPetImage>> {
    const { collection } = PETS.projection;
    const found = await (tenant === null
      ? this.documents.get(collection, petId)
      : viewInTenant(this.documents, PETS.projection, petId, tenant));
    const image = found && imagesOf((JSON.parse(found.json) as Pet).photos).find((one) => one.imageId === imageId);
    const blob = image && (await this.blobs.open(blobOf(petId, image)));
    if (!image || !blob) return null;
    const mediaType = acceptsWebp ? 'image/webp' : image.mediaType;
    if (width === null && mediaType === image.mediaType) return { ...blob, mediaType, digest: image.digest };
    const { bytes, digest } = await this.images.rendition({ key: image.digest, width, mediaType }, () => readAll(blob));
    return { size: bytes.length, read: (from, to) => piece(bytes.subarray(from, to)), mediaType, digest };
  }
}

const readAll = async (blob: OpenBlob): Promise<Uint8Array> => {
  const pieces: Uint8Array[] = [];
  for await (const bytes of blob.read()) pieces.push(bytes);
  return Buffer.concat(pieces);
};

async function* piece(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}

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
  constructor(private readonly documents: Documents) {}

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
  constructor(private readonly documents: Documents) {}

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
  constructor(private readonly documents: Documents) {}

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
  constructor(private readonly documents: Documents) {}

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

/** The query handlers of pets, for the module. */
export const PET_QUERY_HANDLERS = [
  GetPetHandler,
  ListPetsHandler,
  SearchPetsHandler,
  GetPetByNumberHandler,
  FindNumberedPetsHandler,
  FindPetsByTagsHandler,
  FindPetsByNameHandler,
  GetPetImageHandler,
];
