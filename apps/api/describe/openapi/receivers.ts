import { exampleOf, type JsonSchema } from '../../../../libs/contracts/message-schema.js';
import { ORDER_CALLBACK_EXAMPLES, ORDER_CALLBACK_SCHEMA } from '../../../../libs/contracts/order-callback.js';
import { CALLBACK_HEADERS, WEBHOOK_HEADERS } from '../../../../libs/contracts/signed-headers.js';
import { webhookContracts } from '../../../../libs/contracts/webhooks.js';

/** What the store sends to addresses that others gave, told from the receiver's side. */
type Sent = {
  readonly operationId: string;
  readonly tag: 'Webhooks' | 'Orders';
  readonly summary: string;
  readonly headers: JsonSchema;
  readonly schema: JsonSchema;
  readonly examples: Readonly<Record<string, unknown>>;
};

/** `order.statusChanged` is received by `receiveOrderStatusChanged`. */
const operationIdOf = (eventType: string): string =>
  `receive${eventType
    .split('.')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`;

/** "The OpenAPI document gains `webhooks`": every event by its name. */
export const webhookItems = (): object =>
  Object.fromEntries(
    webhookContracts.map(({ eventType, summary, schema }) => [
      eventType,
      received({
        operationId: operationIdOf(eventType),
        tag: 'Webhooks',
        summary,
        headers: WEBHOOK_HEADERS,
        schema,
        examples: { typical: exampleOf(schema) },
      }),
    ]),
  );

/** "… and `callbacks` (on callbackOrder)": posted to the address that the request named. */
export const orderCallbacks = (): object => ({
  orderChecked: {
    '{$request.body#/callbackUrl}': received({
      operationId: 'receiveOrderCallback',
      tag: 'Orders',
      summary: 'The status of the order',
      headers: CALLBACK_HEADERS,
      schema: ORDER_CALLBACK_SCHEMA,
      examples: ORDER_CALLBACK_EXAMPLES,
    }),
  },
});

const received = ({ operationId, tag, summary, headers, schema, examples }: Sent): object => ({
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
      410: { description: 'Nobody wants it here: it is not sent again, and a webhook endpoint is disabled' },
      default: { description: 'Not acknowledged: it is sent again later; Retry-After is honoured, redirects are not followed' },
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
