import { minorUnits } from '../domain/money.js';
import type { MedicalInfo, PetDetails, PetEvent, PetStatus } from '../domain/pets/pet.events.js';
import { aggregateIdOf, SHARED_POOL, type EventMeta } from '../eventsourcing/message.js';
import { projection, type Document } from '../eventsourcing/projection.js';
import type { ExplicitOptional } from './explicit-optional.js';

/** A pet as the interface returns it. */
export type Pet = ExplicitOptional<PetDetails> & {
  readonly id: string;
  readonly status: PetStatus;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly tenantId: string | undefined;
};

/** A boolean as an integer field; null if it is absent. */
type Flag = 0 | 1 | null;

/** The fields that pets are queried, sorted and counted by. */
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
};

type PetDocument = Document<Pet, PetFields>;
/** The members of a pet that staff do not enter as details. */
type StatusAndTimes = Pick<Pet, 'status' | 'createdAt' | 'updatedAt'>;

/** Lists the members in the documented order, so that equal events produce equal JSON. */
const bodyOf = (details: PetDetails, { status, createdAt, updatedAt }: StatusAndTimes, { stream, tenant }: EventMeta): Pet => ({
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
  photos: details.photos,
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

const fieldsOf = (
  { species, size, goodWithKids, ageMonths, price, medicalInfo }: PetDetails,
  current: StatusAndTimes,
  tenant: string,
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
});

const flag = (value: boolean | undefined): Flag => (value === undefined ? null : value ? 1 : 0);

const documentOf = (details: PetDetails, current: StatusAndTimes, meta: EventMeta): PetDocument => ({
  body: bodyOf(details, current, meta),
  fields: fieldsOf(details, current, meta.tenant),
});

const withStatus = (current: PetDocument | null, status: PetStatus, { time }: EventMeta): PetDocument | null =>
  current && { body: { ...current.body, status, updatedAt: time }, fields: { ...current.fields, status } };

const MEDICAL = ['vaccinated', 'spayedNeutered', 'specialNeeds'] as const satisfies readonly (keyof PetFields)[];

/** The catalogue: every pet that is not retired. */
export const petsProjection = projection<PetEvent, Pet, PetFields>({
  name: 'pets',
  version: 1,
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
  },
  // Every index slows down every write, so there are only four: one per sort order, and one for the list of a
  // species. Each contains every filter of lists and searches. A page then loads only its own pets, and a
  // total loads none.
  indexes: [
    ['tenant', 'status', '-createdAt', '-key', 'species', 'size', 'goodWithKids', 'ageMonths', ...MEDICAL],
    ['tenant', 'status', 'species', '-createdAt', '-key', 'size', 'goodWithKids', 'ageMonths', ...MEDICAL],
    ['tenant', 'status', 'priceMinor', '-key', 'species', 'size', 'goodWithKids', 'ageMonths', ...MEDICAL],
    ['tenant', 'status', 'ageMonths', '-key', 'species', 'size', 'goodWithKids', ...MEDICAL],
  ],
  cells: ['tenant', 'status', 'species', 'size', 'goodWithKids', 'ageMonths'],
  amount: () => 1,
  on: {
    PetListed: (_, { details, status }, meta) => documentOf(details, { status, createdAt: meta.time, updatedAt: meta.time }, meta),
    // A PUT clears absent optional fields (contract 12.7).
    PetDetailsRevised: (current, { details }, meta) => current && documentOf(details, { ...current.body, updatedAt: meta.time }, meta),
    PetStatusSet: (current, { to }, meta) => withStatus(current, to, meta),
    PetReserved: (current, _, meta) => withStatus(current, 'PENDING', meta),
    PetReleased: (current, { to }, meta) => withStatus(current, to, meta),
    PetAdopted: (current, _, meta) => withStatus(current, 'ADOPTED', meta),
    PetRetired: () => null,
  },
});
