import { ORDER_STATUSES } from '../domain/orders/order.events.js';
import { PAYMENT_STATUSES } from '../domain/payments/payment.events.js';
import { GENDERS, PET_STATUSES, SIZES, SPECIES } from '../domain/pets/pet.events.js';
import type { JsonSchema, WebhookEventType } from './webhook-contract.js';

type Properties = Readonly<Record<string, JsonSchema>>;

/** An object of which everything is always there but what `optional` names. More may be added, so it is not closed. */
export const object = (description: string, properties: Properties, optional: readonly string[] = []): JsonSchema => ({
  type: 'object',
  description,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

/** A text. */
export const text = (description: string): JsonSchema => ({ type: 'string', description });
const flag = (description: string): JsonSchema => ({ type: 'boolean', description });
const count = (description: string, minimum: number): JsonSchema => ({ type: 'integer', minimum, description });
const oneOf = (description: string, values: readonly string[]): JsonSchema => ({ type: 'string', enum: values, description });

/** An id of the service's. */
export const id = (description: string): JsonSchema => ({ type: 'string', format: 'uuid', description });
/** A moment: ISO 8601, UTC. */
export const moment = (description: string): JsonSchema => ({ type: 'string', format: 'date-time', description });
const date = (description: string): JsonSchema => ({ type: 'string', format: 'date', description });
const uri = (description: string): JsonSchema => ({ type: 'string', format: 'uri', description });
const amount = (description: string): JsonSchema => ({ type: 'string', pattern: '^\\d+\\.\\d{2}$', description });
const currency = (description: string): JsonSchema => ({ type: 'string', pattern: '^[A-Z]{3}$', description });

/** "An order", as reading it answers. */
export const ORDER_SCHEMA = object(
  'The order, as it is read',
  {
    id: id('The order'),
    petId: id('The pet ordered'),
    userId: text('Whose order it is'),
    quantity: count('How many', 1),
    shipDate: date('When it is to be, or was, shipped'),
    status: oneOf('Where it stands', ORDER_STATUSES),
    complete: flag('True once delivered'),
  },
  ['userId', 'shipDate'],
);

const MEDICAL_INFO = {
  spayedNeutered: flag('Whether it is spayed or neutered'),
  vaccinated: flag('Whether it is vaccinated'),
  microchipped: flag('Whether it is microchipped'),
  specialNeeds: flag('Whether it needs special care'),
  healthNotes: text('What else is known'),
};

const ASKED_OF_PETS = {
  breed: text('Breed'),
  size: oneOf('Size', SIZES),
  color: text('Colour'),
  gender: oneOf('Gender', GENDERS),
  goodWithKids: flag('Whether it gets along with children'),
  price: amount('Price'),
  currency: currency('ISO 4217 code of the price’s currency'),
  description: text('Description'),
  photos: { type: 'array', items: uri('A photo'), description: 'Photos' },
  medicalInfo: object('What is known of its health', MEDICAL_INFO, Object.keys(MEDICAL_INFO)),
  tenantId: id('Whose it is; absent in the shared pool'),
};

/** "A pet", as reading it answers. */
export const PET_SCHEMA = object(
  'The pet, as it is read',
  {
    id: id('The pet'),
    species: oneOf('Species', SPECIES),
    name: text('Name'),
    ageMonths: count('Age in months', 0),
    status: oneOf('Where it stands', PET_STATUSES),
    createdAt: moment('When it was listed'),
    updatedAt: moment('When it last changed'),
    ...ASKED_OF_PETS,
  },
  Object.keys(ASKED_OF_PETS),
);

const CARD = object('A card, its number masked', {
  object: { const: 'card', description: 'A card' },
  number: text('Masked to its last four digits'),
  brand: text('Brand'),
  last4: text('The last four digits'),
  expMonth: count('Month of expiry', 1),
  expYear: count('Year of expiry', 2000),
});

const BANK_ACCOUNT = object(
  'A bank account, its number masked',
  {
    object: { const: 'bank_account', description: 'A bank account' },
    number: text('Masked to its last four digits'),
    accountType: text('What kind of account'),
    country: text('Its country'),
  },
  ['accountType', 'country'],
);

/** "A payment", as reading it answers, without the payer's name and address. */
export const PAYMENT_SCHEMA = object(
  'The payment, as it is read; without the payer’s name and address',
  {
    id: id('The payment'),
    amount: amount('What was paid, or tried to be'),
    currency: currency('ISO 4217 code'),
    source: { oneOf: [CARD, BANK_ACCOUNT], description: 'What it was paid with' },
    status: oneOf('Where it stands', PAYMENT_STATUSES),
    failureReason: text('Why it failed'),
  },
  ['failureReason'],
);

/** "receipt {receiptId, receiptUrl, generatedAt}" */
export const RECEIPT_SCHEMA = object('Where the receipt is read', {
  receiptId: id('The receipt'),
  receiptUrl: uri('Its address'),
  generatedAt: moment('When it was made'),
});

/** What a change of a status says beside whose it is. */
export const statusChangeSchema = (name: string, resource: JsonSchema, statuses: readonly string[]): JsonSchema =>
  object('The change', {
    [name]: resource,
    previousStatus: { type: ['string', 'null'], enum: [...statuses, null], description: `The status before; null when the ${name} is new` },
    newStatus: oneOf('The status from now on', statuses),
    changedAt: moment('When it changed'),
    changedBy: text('Whose wish it was: a token’s subject, `anonymous`, or `process:<name>`'),
  });

/** "Body: {eventId (uuid), eventType, timestamp, data}." */
export const bodySchema = (eventType: WebhookEventType, summary: string, data: JsonSchema): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: eventType,
  ...object(summary, {
    eventId: id('The event; the same in every attempt, and in the header webhook-id'),
    eventType: { const: eventType, description: 'Which event it is' },
    timestamp: moment('When it happened'),
    data,
  }),
});
