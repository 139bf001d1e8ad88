import { ORDER_STATUSES } from '../domain/orders/order.events.js';
import { PAYMENT_STATUSES } from '../domain/payments/payment.events.js';
import { PET_STATUSES, SPECIES } from '../domain/pets/pet.events.js';
import {
  currency,
  date,
  either,
  flag,
  id,
  instant,
  money,
  object,
  oneOf,
  shownAs,
  text,
  uri,
  wholeNumber,
  type JsonSchema,
  type Schema,
} from './message-schema.js';
import { OPTIONAL_DETAILS } from './pets.messages.js';
import { MESSAGE_ID } from './signed-headers.js';
import type { WebhookEventType } from './webhook-contract.js';

const PET_ID = '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60';
const ORDER_ID = '0190a6b3-1d2f-7b45-8c1a-4e2b6d3f5a71';
const PAYMENT_ID = '0190a6b4-2e3f-7c56-9d2b-5f3c7e4a6b82';
const TIME = '2026-01-02T03:04:05.678Z';

/** Always this one value. Unlike `always` it says no type, since none was promised here. */
const fixed = <const T extends string>(value: T, description: string): Schema<T> => ({ const: value, description });

/** "An order", as reading it answers. */
export const ORDER_SCHEMA = object(
  {
    id: id('The order', ORDER_ID),
    petId: id('The pet ordered', PET_ID),
    quantity: wholeNumber('How many', 1, 1),
    status: oneOf('Where it stands', ORDER_STATUSES, 'approved'),
    complete: flag('True once delivered', false),
  },
  { userId: text('Whose order it is', 'ann'), shipDate: date('When it is to be, or was, shipped', '2026-12-24') },
  'The order, as it is read',
);

/** "A pet", as reading it answers. */
export const PET_SCHEMA = object(
  {
    id: id('The pet', PET_ID),
    species: oneOf('Species', SPECIES, 'DOG'),
    name: text('Name', 'Rex'),
    ageMonths: wholeNumber('Age in months', 0, 24),
    status: oneOf('Where it stands', PET_STATUSES, 'AVAILABLE'),
    createdAt: instant('When it was listed', '2026-01-01T09:00:00.000Z'),
    updatedAt: instant('When it last changed', TIME),
  },
  {
    ...OPTIONAL_DETAILS,
    price: money('What it costs', '250.00'),
    currency: currency('ISO 4217 code of the price’s currency', 'USD'),
    tenantId: id('Whose it is; absent in the shared pool', '0190a6b1-5b0d-7923-8afe-2e094b1c3d5f'),
  },
  'The pet, as it is read',
);

const CARD = object(
  {
    object: fixed('card', 'A card'),
    number: text('Masked to its last four digits', '************4242'),
    brand: text('Brand', 'visa'),
    last4: text('The last four digits', '4242'),
    expMonth: wholeNumber('Month of expiry', 1, 12),
    expYear: wholeNumber('Year of expiry', 2000, 2031),
  },
  {},
  'A card, its number masked',
);

const BANK_ACCOUNT = object(
  { object: fixed('bank_account', 'A bank account'), number: text('Masked to its last four digits', '*****6789') },
  { accountType: text('What kind of account', 'CHECKING'), country: text('Its country', 'GB') },
  'A bank account, its number masked',
);

/** "A payment", as reading it answers, without the payer's name and address. */
export const PAYMENT_SCHEMA = object(
  {
    id: id('The payment', PAYMENT_ID),
    amount: money('What was paid, or tried to be', '250.00'),
    currency: currency('ISO 4217 code', 'USD'),
    source: either('What it was paid with', CARD, BANK_ACCOUNT),
    status: oneOf('Where it stands', PAYMENT_STATUSES, 'failed'),
  },
  { failureReason: text('Why it failed', 'card_declined') },
  'The payment, as it is read; without the payer’s name and address',
);

/** "receipt {receiptId, receiptUrl, generatedAt}" */
export const RECEIPT_SCHEMA = object(
  {
    receiptId: id('The receipt', PAYMENT_ID),
    receiptUrl: uri('Its address', `https://pets.example.com/v1/orders/${ORDER_ID}/receipt`),
    generatedAt: instant('When it was made', TIME),
  },
  {},
  'Where the receipt is read',
);

/** The adopter of "pet.adopted {pet, adopter}". */
export const ADOPTER_SCHEMA = object(
  { orderId: id('The order by which it was adopted', ORDER_ID) },
  { userId: text('Whose order it is', 'ann') },
  'Who adopted it',
);

/** What a change of a status, `before` to `after` for one, says beside whose it is. */
export const statusChangeSchema = <Status extends string>(
  name: string,
  resource: Schema<{ readonly status: NoInfer<Status> }>,
  statuses: readonly Status[],
  before: NoInfer<Status>,
  after: NoInfer<Status>,
): JsonSchema =>
  object(
    {
      [name]: shownAs(resource, { status: after }),
      previousStatus: {
        ...oneOf(`The status before; null when the ${name} is new`, statuses, before),
        type: ['string', 'null'],
        enum: [...statuses, null],
      },
      newStatus: oneOf('The status from now on', statuses, after),
      changedAt: instant('When it changed', TIME),
      changedBy: text('Whose wish it was: a token’s subject, `anonymous`, or `process:<name>`', 'ann'),
    },
    {},
    'The change',
  );

/** "Body: {eventId (uuid), eventType, timestamp, data}." */
export const bodySchema = (eventType: WebhookEventType, summary: string, data: JsonSchema): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: eventType,
  ...object(
    {
      eventId: id('The event; the same in every attempt, and in the header webhook-id', MESSAGE_ID),
      eventType: fixed(eventType, 'Which event it is'),
      timestamp: instant('When it happened', TIME),
      data,
    },
    {},
    summary,
  ),
});
