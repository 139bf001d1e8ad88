import { ORDER_PAYMENT_STATUSES, ORDER_STATUSES } from '../domain/orders/order.events.js';
import { PAYMENT_STATUSES } from '../domain/payments/payment.events.js';
import { PET_STATUSES, SPECIES } from '../domain/pets/pet.events.js';
import {
  constantValue,
  currency,
  date,
  either,
  flag,
  id,
  instant,
  money,
  object,
  oneOf,
  orNull,
  withExample,
  text,
  uri,
  wholeNumber,
  type JsonSchema,
  type Schema,
} from './message-schema.js';
import { OPTIONAL_DETAILS } from './topics/pets.messages.js';
import { MESSAGE_ID } from './signed-headers.js';
import type { WebhookEventType } from './webhook-contract.js';

const PET_ID = '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60';
const ORDER_ID = '0190a6b3-1d2f-7b45-8c1a-4e2b6d3f5a71';
const PAYMENT_ID = '0190a6b4-2e3f-7c56-9d2b-5f3c7e4a6b82';
const ADOPTION_ID = '0190a6b7-4e5f-7d78-9f4d-7b5e9a6c8d04';
const TIME = '2026-01-02T03:04:05.678Z';

/** An order as a GET returns it (contract 19.6). */
export const ORDER_SCHEMA = object(
  {
    id: id('The order', ORDER_ID),
    petId: id('The ordered pet', PET_ID),
    quantity: wholeNumber('The quantity', 1, 1),
    status: oneOf('The status of the order', ORDER_STATUSES, 'approved'),
    complete: flag('Whether the order is delivered', false),
  },
  {
    userId: text('The user who placed the order', 'ann'),
    shipDate: date('The ship date', '2026-12-24'),
    amountDue: money('The amount due, paid or not; absent if the pet had no price', '250.00'),
    currency: currency('The currency of the amount due', 'USD'),
    paymentStatus: oneOf('What happened to the last payment of the order', ORDER_PAYMENT_STATUSES, 'succeeded'),
    createdAt: instant('When the order was placed', '2026-01-01T09:00:00.000Z'),
    updatedAt: instant('When the order or its payment last changed', TIME),
  },
  'The order, as GET returns it, without expiresAt',
);

/** A pet as a GET returns it (contract 19.6). */
export const PET_SCHEMA = object(
  {
    id: id('The pet', PET_ID),
    species: oneOf('Species', SPECIES, 'DOG'),
    name: text('Name', 'Rex'),
    ageMonths: wholeNumber('Age in months', 0, 24),
    status: oneOf('The status of the pet', PET_STATUSES, 'AVAILABLE'),
    createdAt: instant('When the pet was listed', '2026-01-01T09:00:00.000Z'),
    updatedAt: instant('When the pet last changed', TIME),
  },
  {
    ...OPTIONAL_DETAILS,
    price: money('The price of the pet', '250.00'),
    currency: currency('ISO 4217 code of the price’s currency', 'USD'),
    tenantId: id('The tenant of the pet; absent in the shared pool', '0190a6b1-5b0d-7923-8afe-2e094b1c3d5f'),
  },
  'The pet, as GET returns it',
);

/** A card in a payment (contract 19.6). */
export const CARD_SCHEMA = object(
  {
    object: constantValue('card', 'A card'),
    number: text('The number, masked to its last four digits', '************4242'),
    brand: text('Brand', 'visa'),
    last4: text('The last four digits', '4242'),
    expMonth: wholeNumber('Month of expiry', 1, 12),
    expYear: wholeNumber('Year of expiry', 2000, 2031),
  },
  {},
  'A card with a masked number',
);

/** A bank account in a payment (contract 19.6). */
export const BANK_ACCOUNT_SCHEMA = object(
  {
    object: constantValue('bank_account', 'A bank account'),
    number: text('The number, of which only the last four characters are shown', '*****6789'),
  },
  { accountType: text('The type of account', 'CHECKING'), country: text('The country of the account', 'GB') },
  'A bank account with a masked number',
);

/** The source of a payment (contract 19.6). */
export const PAYMENT_SOURCE_SCHEMA = either('The payment source', CARD_SCHEMA, BANK_ACCOUNT_SCHEMA);

/** A payment as a GET returns it, without the payer's name and address (contract 19.6). */
export const PAYMENT_SCHEMA = object(
  {
    id: id('The payment', PAYMENT_ID),
    amount: money('The amount', '250.00'),
    currency: currency('ISO 4217 code', 'USD'),
    source: PAYMENT_SOURCE_SCHEMA,
    status: oneOf('The status of the payment', PAYMENT_STATUSES, 'failed'),
  },
  { failureReason: text('Why the payment failed', 'card_declined') },
  'The payment, as GET returns it, without the payer’s name and address',
);

/** The reference to a receipt (contract 19.4). */
export const RECEIPT_SCHEMA = object(
  {
    receiptId: id('The receipt', PAYMENT_ID),
    receiptUrl: uri('The URL of the receipt', `https://pets.example.com/v1/orders/${ORDER_ID}/receipt`),
    generatedAt: instant('When the receipt was generated', TIME),
  },
  {},
  'The receipt',
);

/** The adopter in pet.adopted (contract 19.5). */
export const ADOPTER_SCHEMA = object(
  {},
  {
    orderId: id('The order that adopted the pet; absent if an application did', ORDER_ID),
    userId: text('The user of the order or the application', 'ann'),
    adoptionId: id('The application that adopted the pet; absent if an order did', ADOPTION_ID),
    name: orNull(text('The name in the application, or null after it is erased', 'Ann Lee')),
    email: orNull(text('The email address in the application, or null after it is erased', 'ann@example.com')),
  },
  'Who adopted the pet: an order or an application',
);

/** Returns the schema of a status change's data. In its example, the status changes from `before` to `after`. */
export const statusChangeSchema = <Status extends string>(
  name: string,
  resource: Schema<{ readonly status: NoInfer<Status> }>,
  statuses: readonly Status[],
  before: NoInfer<Status>,
  after: NoInfer<Status>,
): JsonSchema =>
  object(
    {
      [name]: withExample(resource, { status: after }),
      previousStatus: {
        ...oneOf(`The previous status, or null if the ${name} is new`, statuses, before),
        type: ['string', 'null'],
        enum: [...statuses, null],
      },
      newStatus: oneOf('The new status', statuses, after),
      changedAt: instant('When the status changed', TIME),
      changedBy: text('Who changed the status: a token’s subject, `anonymous`, or `process:<name>`', 'ann'),
    },
    {},
    'The change',
  );

/** The schema of a webhook's body (contract 19.1). */
export const bodySchema = (eventType: WebhookEventType, summary: string, data: JsonSchema): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: eventType,
  ...object(
    {
      eventId: id('The id of the event. It is the same in every attempt and in the webhook-id header', MESSAGE_ID),
      eventType: constantValue(eventType, 'The event type'),
      timestamp: instant('When the event was recorded', TIME),
      data,
    },
    {},
    summary,
  ),
});
