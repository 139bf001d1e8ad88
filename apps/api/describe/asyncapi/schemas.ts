import { contracts } from '../../../../libs/contracts/contracts.js';
import { publishedMessages } from '../../../../libs/contracts/message-contract.js';
import { headersOf } from '../../../../libs/contracts/message-headers.js';
import type { JsonSchema } from '../../../../libs/contracts/message-schema.js';
import { COMPLETED_RESULT_SCHEMA, FAILED_RESULT_SCHEMA, ORDER_CALLBACK_SCHEMA } from '../../../../libs/contracts/order-callback.js';
import { MEDICAL_INFO_SCHEMA, PET_DETAILS_SCHEMA } from '../../../../libs/contracts/topics/pets.messages.js';
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

/** Schemas that several messages contain. The document defines each schema once, and messages refer to the definition. */
const SHARED_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
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

/** The schema name of the headers of webhooks. */
export const WEBHOOK_HEADERS_NAME = 'WebhookHeaders';
/** The schema name of the headers of callbacks. */
export const CALLBACK_HEADERS_NAME = 'CallbackHeaders';
/** The schema name of the body of callbacks. */
export const CALLBACK_NAME = 'OrderCallback';

/** Returns the schema name of the data of a topic message. */
export const dataName = (eventType: string): string => `${eventType}Data`;

/** Returns the schema name of the headers of a topic message. */
export const headersName = (eventType: string): string => `${eventType}Headers`;

/**
 * Returns the schema name of a webhook body: `OrderStatusChangedWebhook` for the event `order.statusChanged`. The name
 * for `webhook.test` is `TestWebhook`, without a second `Webhook`.
 */
export const webhookName = (eventType: string): string =>
  `${eventType
    .split('.')
    .filter((word) => word !== 'webhook')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Webhook`;

/** Returns a reference to a named schema. */
export const schemaRef = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

type NamedSchema = readonly [name: string, schema: JsonSchema];

/** Returns every schema of the document by name. Code generators create one type for each schema. */
export const namedSchemas = (): Readonly<Record<string, JsonSchema>> => {
  const all: readonly NamedSchema[] = [
    ...topicSchemas(),
    ...webhookSchemas(),
    [CALLBACK_HEADERS_NAME, CALLBACK_HEADERS],
    [CALLBACK_NAME, ORDER_CALLBACK_SCHEMA],
    ...Object.entries(SHARED_SCHEMAS),
  ];
  const withReferences = referringTo(SHARED_SCHEMAS);
  return Object.fromEntries(all.map(([name, schema]) => [name, withReferences(schema)]));
};

const topicSchemas = (): readonly NamedSchema[] =>
  contracts.flatMap((contract) =>
    publishedMessages(contract).flatMap(([type, { schema }]): NamedSchema[] => [
      [headersName(type), headersOf(contract, type)],
      [dataName(type), schema],
    ]),
  );

const webhookSchemas = (): readonly NamedSchema[] => [
  [WEBHOOK_HEADERS_NAME, WEBHOOK_HEADERS],
  ...webhookContracts.map(({ eventType, schema }): NamedSchema => [webhookName(eventType), schema]),
];

/**
 * Returns a text that identifies a schema. The text omits `examples`, because a message may contain a shared schema with
 * other examples.
 */
const keyOf = ({ examples: _, ...rules }: JsonSchema): string => JSON.stringify(rules);

/**
 * Returns a function that replaces shared schemas inside a schema with references. It never replaces the outer schema, because the
 * definition of a shared schema would otherwise be a reference to itself. Also removes `$schema`, which the documents do not use.
 */
export const referringTo = (shared: Readonly<Record<string, JsonSchema>>): ((schema: JsonSchema) => JsonSchema) => {
  const names = new Map(Object.entries(shared).map(([name, schema]) => [keyOf(schema), name]));
  const toReference = (schema: JsonSchema): JsonSchema => {
    const name = names.get(keyOf(schema));
    return name === undefined ? withReferences(schema) : schemaRef(name);
  };
  const withReferences = ({ $schema: _, properties, items, oneOf, ...rest }: JsonSchema): JsonSchema => ({
    ...rest,
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, part]) => [name, toReference(part)]),
      ),
    }),
    ...(items !== undefined && { items: toReference(items as JsonSchema) }),
    ...(oneOf !== undefined && { oneOf: (oneOf as readonly JsonSchema[]).map(toReference) }),
  });
  return withReferences;
};
