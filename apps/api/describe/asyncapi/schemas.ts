import { contracts } from '../../../../libs/contracts/contracts.js';
import { headersOf } from '../../../../libs/contracts/message-headers.js';
import type { JsonSchema } from '../../../../libs/contracts/message-schema.js';
import { COMPLETED_RESULT_SCHEMA, FAILED_RESULT_SCHEMA, ORDER_CALLBACK_SCHEMA } from '../../../../libs/contracts/order-callback.js';
import { MEDICAL_INFO_SCHEMA, PET_DETAILS_SCHEMA } from '../../../../libs/contracts/pets.messages.js';
import { CALLBACK_HEADERS, WEBHOOK_HEADERS } from '../../../../libs/contracts/signed-headers.js';
import {
  ADOPTER_SCHEMA,
  BANK_ACCOUNT_SCHEMA,
  CARD_SCHEMA,
  ORDER_SCHEMA,
  PAYMENT_SCHEMA,
  PET_SCHEMA,
  RECEIPT_SCHEMA,
} from '../../../../libs/contracts/webhook-schemas.js';
import { webhookContracts } from '../../../../libs/contracts/webhooks.js';

/** The schemas inside messages that get a name of their own. */
const PARTS: Readonly<Record<string, JsonSchema>> = {
  Pet: PET_SCHEMA,
  PetDetails: PET_DETAILS_SCHEMA,
  MedicalInfo: MEDICAL_INFO_SCHEMA,
  Order: ORDER_SCHEMA,
  Payment: PAYMENT_SCHEMA,
  BankCard: CARD_SCHEMA,
  BankAccount: BANK_ACCOUNT_SCHEMA,
  Receipt: RECEIPT_SCHEMA,
  Adopter: ADOPTER_SCHEMA,
  CompletedResult: COMPLETED_RESULT_SCHEMA,
  FailedResult: FAILED_RESULT_SCHEMA,
};

/** The name of the headers of webhooks. */
export const WEBHOOK_HEADERS_NAME = 'WebhookHeaders';
/** The name of the headers of callbacks. */
export const CALLBACK_HEADERS_NAME = 'CallbackHeaders';
/** The name of the body of callbacks. */
export const CALLBACK_NAME = 'OrderCallback';

/** The name of the data of a topic message, by its event type. */
export const dataName = (eventType: string): string => `${eventType}Data`;

/** The name of the headers of a topic message, by its event type. */
export const headersName = (eventType: string): string => `${eventType}Headers`;

/** The name of the body of a webhook: `OrderStatusChangedWebhook` of `order.statusChanged`, `TestWebhook` of `webhook.test`. */
export const webhookName = (eventType: string): string =>
  `${eventType
    .split('.')
    .filter((word) => word !== 'webhook')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Webhook`;

/** Returns a reference to a named schema. */
export const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

type NamedSchema = readonly [name: string, schema: JsonSchema];

/** Every schema of the document by name. Code generators make one type of each. */
export const namedSchemas = (): Readonly<Record<string, JsonSchema>> => {
  const all: readonly NamedSchema[] = [
    ...topicSchemas(),
    ...webhookSchemas(),
    [CALLBACK_HEADERS_NAME, CALLBACK_HEADERS],
    [CALLBACK_NAME, ORDER_CALLBACK_SCHEMA],
    ...Object.entries(PARTS),
  ];
  return Object.fromEntries(all.map(([name, schema]) => [name, withReferences(schema)]));
};

const topicSchemas = (): readonly NamedSchema[] =>
  contracts.flatMap((contract) =>
    Object.entries(contract.on).flatMap(([type, { schema }]): NamedSchema[] => [
      [headersName(type), headersOf(contract, type)],
      [dataName(type), schema],
    ]),
  );

const webhookSchemas = (): readonly NamedSchema[] => [
  [WEBHOOK_HEADERS_NAME, WEBHOOK_HEADERS],
  ...webhookContracts.map(({ eventType, schema }): NamedSchema => [webhookName(eventType), schema]),
];

/** Identifies a schema by its rules: a copy with another example is the same schema. */
const keyOf = ({ examples: _, ...rules }: JsonSchema): string => JSON.stringify(rules);

const NAMES: ReadonlyMap<string, string> = new Map(Object.entries(PARTS).map(([name, schema]) => [keyOf(schema), name]));

/** Replaces named parts by references. AsyncAPI has a dialect of its own, so `$schema` is removed. */
const withReferences = ({ $schema: _, properties, items, oneOf, ...rest }: JsonSchema): JsonSchema => ({
  ...rest,
  ...(properties !== undefined && {
    properties: Object.fromEntries(
      Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, part]) => [name, refer(part)]),
    ),
  }),
  ...(items !== undefined && { items: refer(items as JsonSchema) }),
  ...(oneOf !== undefined && { oneOf: (oneOf as readonly JsonSchema[]).map(refer) }),
});

const refer = (schema: JsonSchema): JsonSchema => {
  const name = NAMES.get(keyOf(schema));
  return name === undefined ? withReferences(schema) : schemaRef(name);
};
