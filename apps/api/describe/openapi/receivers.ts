import { exampleOf, type JsonSchema } from '../../../../libs/contracts/message-schema.js';
import { ORDER_CALLBACK_EXAMPLES, ORDER_CALLBACK_SCHEMA } from '../../../../libs/contracts/order-callback.js';
import { CALLBACK_HEADERS, WEBHOOK_HEADERS } from '../../../../libs/contracts/signed-headers.js';
import { webhookContracts } from '../../../../libs/contracts/webhooks.js';

/** A request that the service sends to a receiver. */
type SentRequest = {
  readonly operationId: string;
  readonly tag: 'Webhooks' | 'Orders';
  readonly summary: string;
  readonly headers: JsonSchema;
  readonly schema: JsonSchema;
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
        tag: 'Webhooks',
        summary,
        headers: WEBHOOK_HEADERS,
        schema,
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
      tag: 'Orders',
      summary: 'The status of the order',
      headers: CALLBACK_HEADERS,
      schema: ORDER_CALLBACK_SCHEMA,
      examples: ORDER_CALLBACK_EXAMPLES,
    }),
  },
});

const receiverItem = ({ operationId, tag, summary, headers, schema, examples }: SentRequest): object => ({
  post: {
    operationId,
    tags: [tag],
    summary,
    parameters: headerParameters(headers),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema, examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])) },
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
