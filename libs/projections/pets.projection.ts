import { minorUnits } from '../domain/money.js';
import { numberFromId } from '../domain/number-from-id.js';
import type { ClassicDetails, MedicalInfo, PetDetails, PetEvent, PetStatus } from '../domain/pets/pet.events.js';
import { aggregateIdOf, SHARED_POOL, type EventMeta } from '../eventsourcing/message.js';
import { projection, type Document } from '../eventsourcing/projection.js';
import type { ExplicitOptional } from './explicit-optional.js';
import { photoReference, withLinks, withoutImage } from './photo-references.js';

/**
 * A pet as the interface returns it, except that `photos` contains references to the pet's images. `publicPhotos` replaces
 * the references with URLs.
 */
export type Pet = ExplicitOptional<PetDetails> & {
  readonly id: string;
  readonly status: PetStatus;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly tenantId: string | undefined;
};

/** A boolean as an integer field. Null if the boolean is absent. */
type Flag = 0 | 1 | null;

/** The fields by which pets are queried, sorted and counted, and those that only the classic variant needs. */
type PetFields = {
  readonly tenant: string;
  readonly status: PetStatus;
  readonly species: string;
  readonly size: string | null;
  readonly goodWithKids: Flag;
  readonly ageMonths: number;
  readonly createdAt: string;
  /** The price in minor units, so that prices sort as numbers (contract 12.12); null without a price. */
  readonly priceMinor: number | null;
  readonly vaccinated: Flag;
  readonly spayedNeutered: Flag;
  readonly specialNeeds: Flag;
  /** The id in the classic variant (contract 39.3). */
  readonly number: number;
  /** The members that only the classic variant shows, as JSON; null if there are none (contract 39.4). */
  readonly classic: string | null;
};

type PetDocument = Document<Pet, PetFields>;
/** The members of a pet that its details do not contain. `photos` are the photos of the document before the event. */
type Undetailed = Pick<Pet, 'status' | 'createdAt' | 'updatedAt'> & Partial<Pick<Pet, 'photos'>>;

/** Names the members in the documented order, so that equal events produce equal JSON. */
const bodyOf = (details: PetDetails, { status, photos, createdAt, updatedAt }: Undetailed, { stream, tenant }: EventMeta): Pet => ({
  id: aggregateIdOf(stream),
  species: details.species,
  name: details.name,
  breed: details.breed,
  ageMonths: details.ageMonths,
  size: details.size,
  color: details.color,
  gender: details.gender,
  goodWithKids: details.goodWithKids,
  price: details.price,
  currency: details.currency,
  description: details.description,
  status,
  photos: withLinks(details.photos, photos),
  medicalInfo: details.medicalInfo && medicalInfoOf(details.medicalInfo),
  createdAt,
  updatedAt,
  // The shared pool has no tenantId (contract 12.1).
  tenantId: tenant === SHARED_POOL ? undefined : tenant,
});

const medicalInfoOf = ({ spayedNeutered, vaccinated, microchipped, specialNeeds, healthNotes }: MedicalInfo): MedicalInfo => ({
  ...(spayedNeutered !== undefined && { spayedNeutered }),
  ...(vaccinated !== undefined && { vaccinated }),
  ...(microchipped !== undefined && { microchipped }),
  ...(specialNeeds !== undefined && { specialNeeds }),
  ...(healthNotes !== undefined && { healthNotes }),
});

/** The fields of the classic variant. They do not follow from the details of the pet. */
type Classic = Pick<PetFields, 'number' | 'classic'>;

const fieldsOf = (
  { species, size, goodWithKids, ageMonths, price, medicalInfo }: PetDetails,
  current: Undetailed,
  tenant: string,
  { number, classic }: Classic,
): PetFields => ({
  tenant,
  status: current.status,
  species,
  size: size ?? null,
  goodWithKids: flag(goodWithKids),
  ageMonths,
  createdAt: current.createdAt,
  priceMinor: price === undefined ? null : Number(minorUnits(price)),
  vaccinated: flag(medicalInfo?.vaccinated),
  spayedNeutered: flag(medicalInfo?.spayedNeutered),
  specialNeeds: flag(medicalInfo?.specialNeeds),
  number,
  classic,
});

const flag = (value: boolean | undefined): Flag => (value === undefined ? null : value ? 1 : 0);

const documentOf = (details: PetDetails, current: Undetailed, meta: EventMeta, classic: Classic): PetDocument => ({
  body: bodyOf(details, current, meta),
  fields: fieldsOf(details, current, meta.tenant, classic),
});

const classicJson = (classic: ClassicDetails | undefined): string | null =>
  classic === undefined || Object.keys(classic).length === 0 ? null : JSON.stringify(classic);

const withStatus = (current: PetDocument | null, status: PetStatus, { time }: EventMeta): PetDocument | null =>
  current && { body: { ...current.body, status, updatedAt: time }, fields: { ...current.fields, status } };

/** The photos have the place that `bodyOf` gives them, also if the stored document had none. */
const withPhotos = (current: PetDocument | null, photos: Pet['photos'], { time }: EventMeta): PetDocument | null => {
  if (!current) return null;
  const { photos: _, medicalInfo, createdAt, updatedAt: __, tenantId, ...before } = current.body;
  return { ...current, body: { ...before, photos, medicalInfo, createdAt, updatedAt: time, tenantId } };
};

const MEDICAL = ['vaccinated', 'spayedNeutered', 'specialNeeds'] as const satisfies readonly (keyof PetFields)[];

/** The catalogue: every pet that is not retired. */
export const petsProjection = projection<PetEvent, Pet, PetFields>({
  name: 'pets',
  version: 4,
  category: 'pet',
  fields: {
    tenant: 'text',
    status: 'text',
    species: 'text',
    size: 'text',
    goodWithKids: 'integer',
    ageMonths: 'integer',
    createdAt: 'text',
    priceMinor: 'integer',
    vaccinated: 'integer',
    spayedNeutered: 'integer',
    specialNeeds: 'integer',
    number: 'integer',
    classic: 'text',
  },
  // Each index slows down every write, so there are only five. Three are for the sort orders, one is for the list of a
  // species, and one finds a pet by its number. The first four contain every filter of lists and searches, so a query loads only
  // the documents that it shows.
  indexes: [
    ['tenant', 'status', '-createdAt', '-key', 'species', 'size', 'goodWithKids', 'ageMonths', ...MEDICAL],
    ['tenant', 'status', 'species', '-createdAt', '-key', 'size', 'goodWithKids', 'ageMonths', ...MEDICAL],
    ['tenant', 'status', 'priceMinor', '-key', 'species', 'size', 'goodWithKids', 'ageMonths', ...MEDICAL],
    ['tenant', 'status', 'ageMonths', '-key', 'species', 'size', 'goodWithKids', ...MEDICAL],
    ['tenant', 'number'],
  ],
  facets: {
    partition: 'tenant',
    filters: ['status', 'species', 'size', 'goodWithKids', ...MEDICAL],
    orders: ['-createdAt', 'priceMinor', 'ageMonths'],
  },
  cells: ['tenant', 'status', 'species', 'size', 'goodWithKids', 'ageMonths'],
  amount: () => 1,
  on: {
    PetListed: (_, { details, status, number, classic }, meta) =>
      documentOf(details, { status, createdAt: meta.time, updatedAt: meta.time }, meta, {
        number: number ?? numberFromId(aggregateIdOf(meta.stream)),
        classic: classicJson(classic),
      }),
    // A PUT clears absent optional fields (contract 12.7).
    PetDetailsRevised: (current, { details, classic }, meta) =>
      current &&
      documentOf(details, { ...current.body, updatedAt: meta.time }, meta, {
        number: current.fields.number,
        classic: classic === undefined ? current.fields.classic : classicJson(classic),
      }),
    PetStatusSet: (current, { to }, meta) => withStatus(current, to, meta),
    PetReserved: (current, _, meta) => withStatus(current, 'PENDING', meta),
    PetReleased: (current, { to }, meta) => withStatus(current, to, meta),
    PetAdopted: (current, _, meta) => withStatus(current, 'ADOPTED', meta),
    PetPhotoAdded: (current, image, meta) =>
      withPhotos(current, [...(current?.body.photos ?? []), photoReference(aggregateIdOf(meta.stream), image)], meta),
    PetPhotoRemoved: (current, { imageId }, meta) => withPhotos(current, withoutImage(current?.body.photos, imageId), meta),
    // If another application already holds the pet, the pet is PENDING, and the body, including `updatedAt`, does not change.
    PetHeldForAdoption: (current, _, meta) => (current?.body.status === 'PENDING' ? current : withStatus(current, 'PENDING', meta)),
    PetFreedFromAdoption: (current, _, meta) => withStatus(current, 'AVAILABLE', meta),
    PetAdoptedByApplication: (current, _, meta) => withStatus(current, 'ADOPTED', meta),
    PetRetired: () => null,
  },
});
