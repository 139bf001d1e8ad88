import { exampleOf, type JsonSchema } from '../../../../libs/contracts/message-schema.js';
import {
  COMPLETED_RESULT_SCHEMA,
  FAILED_RESULT_SCHEMA,
  ORDER_CALLBACK_EXAMPLES,
  ORDER_CALLBACK_SCHEMA,
} from '../../../../libs/contracts/order-callback.js';
import { CALLBACK_HEADERS, WEBHOOK_HEADERS } from '../../../../libs/contracts/signed-headers.js';
import { MEDICAL_INFO_SCHEMA } from '../../../../libs/contracts/topics/pets.messages.js';
import {
  ADOPTER_SCHEMA,
  BANK_ACCOUNT_SCHEMA,
  CARD_SCHEMA,
  ORDER_SCHEMA,
  PAYMENT_SCHEMA,
  PAYMENT_SOURCE_SCHEMA,
  PET_SCHEMA,
  RECEIPT_SCHEMA,
} from '../../../../libs/contracts/webhook-schemas.js';
import { webhookContracts } from '../../../../libs/contracts/webhooks.js';
import { RECEIVERS } from '../../http/operation.js';
import { kindsBy, schemaRef } from '../../http/validation/schemas.js';
import { CALLBACK_NAME, referringTo, webhookName } from '../asyncapi/schemas.js';

/** Schemas that several bodies contain. Each has a name, because generators would make one class of those that look alike. */
const SHARED_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  WebhookPet: PET_SCHEMA,
  WebhookMedicalInfo: MEDICAL_INFO_SCHEMA,
  WebhookOrder: ORDER_SCHEMA,
  WebhookPayment: PAYMENT_SCHEMA,
  WebhookPaymentSource: PAYMENT_SOURCE_SCHEMA,
  WebhookBankCard: CARD_SCHEMA,
  WebhookBankAccount: BANK_ACCOUNT_SCHEMA,
  WebhookReceipt: RECEIPT_SCHEMA,
  WebhookAdopter: ADOPTER_SCHEMA,
  CompletedResult: COMPLETED_RESULT_SCHEMA,
  FailedResult: FAILED_RESULT_SCHEMA,
};

/** Returns the schemas of the bodies of webhooks and callbacks by name, and all schemas to which they refer. */
export const receiverSchemas = (): Readonly<Record<string, JsonSchema>> => {
  const data = webhookContracts.map(({ eventType, schema }): readonly [string, JsonSchema] => [
    `${webhookName(eventType)}Data`,
    (schema['properties'] as Readonly<Record<string, JsonSchema>>)['data'] ?? {},
  ]);
  const bodies = webhookContracts.map(({ eventType, schema }): readonly [string, JsonSchema] => [webhookName(eventType), schema]);
  const shared = { ...SHARED_SCHEMAS, ...Object.fromEntries(data) };
  const withReferences = referringTo(shared);
  const named = Object.fromEntries([...Object.entries(shared), ...bodies].map(([name, schema]) => [name, withReferences(schema)]));
  const { WebhookPaymentSource: source, ...others } = named;
  return { ...others, WebhookPaymentSource: { ...PAYMENT_SOURCE, description: source?.['description'] }, ...callbackSchemas(named) };
};

const PAYMENT_SOURCE: JsonSchema = {
  type: 'object',
  required: ['object'],
  properties: { object: { type: 'string', description: 'The kind of source' } },
  ...kindsBy('object', { card: 'WebhookBankCard', bank_account: 'WebhookBankAccount' }),
};

/** The body of a callback is of two kinds: `status` tells which form `result` has. */
const callbackSchemas = ({ CompletedResult, FailedResult }: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, JsonSchema>> => {
  const { properties, ...callback } = ORDER_CALLBACK_SCHEMA;
  const members = properties as Readonly<Record<string, JsonSchema>>;
  const kind = (status: string, result: string, description: unknown): JsonSchema => ({
    ...callback,
    title: undefined,
    description,
    properties: { ...members, status: { ...members['status'], enum: [status] }, result: schemaRef(result) },
  });
  return {
    [CALLBACK_NAME]: {
      ...callback,
      properties: { ...members, result: { type: 'object', description: members['result']?.['description'] } },
      ...kindsBy('status', { COMPLETED: 'CompletedOrderCallback', FAILED: 'FailedOrderCallback' }),
    },
    CompletedOrderCallback: kind('COMPLETED', 'CompletedResult', 'The status of an order that is open or paid as requested'),
    FailedOrderCallback: kind('FAILED', 'FailedResult', 'The status of an order in any other case'),
    ...{ CompletedResult, FailedResult },
  };
};

/** A request that the service sends to a receiver. */
type SentRequest = {
  readonly operationId: string;
  readonly tag: typeof RECEIVERS;
  readonly summary: string;
  readonly headers: JsonSchema;
  /** The name of the schema of the body. */
  readonly body: string;
  readonly examples: Readonly<Record<string, unknown>>;
};

/**
 * Converts an event type to an operation id, such as `order.statusChanged` to `receiveOrderStatusChanged`.
 */
const operationIdOf = (eventType: string): string =>
  `receive${eventType
    .split('.')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`;

/** Creates the webhooks of the document, by event type (contract 25.3). */
export const webhookItems = (): object =>
  Object.fromEntries(
    webhookContracts.map(({ eventType, summary, schema }) => [
      eventType,
      receiverItem({
        operationId: operationIdOf(eventType),
        tag: RECEIVERS,
        summary,
        headers: WEBHOOK_HEADERS,
        body: webhookName(eventType),
        examples: { typical: exampleOf(schema) },
      }),
    ]),
  );

/**
 * Creates the callbacks of the operation `callbackOrder` (contract 25.3). The only callback is the request that the service
 * sends to the `callbackUrl` after it has checked the order.
 */
export const orderCallbacks = (): object => ({
  orderChecked: {
    '{$request.body#/callbackUrl}': receiverItem({
      operationId: 'receiveOrderCallback',
      tag: RECEIVERS,
      summary: 'The status of the order',
      headers: CALLBACK_HEADERS,
      body: CALLBACK_NAME,
      examples: ORDER_CALLBACK_EXAMPLES,
    }),
  },
});

const receiverItem = ({ operationId, tag, summary, headers, body, examples }: SentRequest): object => ({
  post: {
    operationId,
    tags: [tag],
    // No client sends this request. With this mark, openapi-generator writes no code to send it, which would not compile.
    'x-internal': true,
    summary,
    parameters: headerParameters(headers),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: schemaRef(body),
          examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
        },
      },
    },
    responses: {
      '2XX': { description: 'Acknowledged' },
      410: { description: 'Gone: the service does not retry. If the receiver is a webhook endpoint, the service disables it' },
      default: {
        description:
          'Not acknowledged: the service retries later. Retry-After in the response can extend the delay. Redirects are not followed',
      },
    },
    security: [],
  },
});

const headerParameters = ({ properties, required }: JsonSchema): readonly object[] =>
  Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, { description, ...schema }]) => ({
    name,
    in: 'header',
    required: (required as readonly string[]).includes(name),
    description,
    schema,
  }));
