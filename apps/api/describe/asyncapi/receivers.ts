import { exampleOf, type JsonSchema } from '../../../../libs/contracts/message-schema.js';
import { ORDER_CALLBACK, ORDER_CALLBACK_EXAMPLES, ORDER_CALLBACK_SCHEMA } from '../../../../libs/contracts/order-callback.js';
import { CALLBACK_HEADERS, WEBHOOK_HEADERS } from '../../../../libs/contracts/signed-headers.js';
import { webhookContracts } from '../../../../libs/contracts/webhooks.js';

const POST = { http: { method: 'POST', bindingVersion: '0.3.0' } };
const TAGS = [{ name: 'receivers' }];

/** AsyncAPI has schemas of its own dialect, which all of these keep to; they do not say which one it is. */
const undialected = ({ $schema: _, ...schema }: JsonSchema): JsonSchema => schema;
/** Names of components may not hold a dot everywhere, and these are the events’ own. */
const componentOf = (eventType: string): string => `webhook.${eventType}`;

/** Where webhooks and callbacks go: addresses that their receivers gave. */
export const receiverChannels = (): object => ({
  webhooks: {
    address: null,
    title: 'A webhook endpoint',
    summary: 'The events that an endpoint asked for',
    description: 'The address is the one that was registered at /v1/webhooks. Any answer of 2xx acknowledges.',
    servers: [{ $ref: '#/servers/receiver' }],
    messages: Object.fromEntries(
      webhookContracts.map(({ eventType }) => [eventType, { $ref: `#/components/messages/${componentOf(eventType)}` }]),
    ),
    tags: TAGS,
  },
  orderCallbacks: {
    address: null,
    title: 'Where a callback was asked for',
    summary: 'The status of an order, sent to the client that requested it',
    description: 'The address is the callbackUrl of POST /v1/orders/{id}. Any answer of 2xx acknowledges.',
    servers: [{ $ref: '#/servers/receiver' }],
    messages: { orderCallback: { $ref: `#/components/messages/${ORDER_CALLBACK}` } },
    tags: TAGS,
  },
});

/** Sending webhooks and callbacks. */
export const receiverOperations = (): object => ({
  sendWebhook: {
    action: 'send',
    channel: { $ref: '#/channels/webhooks' },
    title: 'Send a webhook',
    summary: 'Tells an endpoint what it asked for, again and again until it acknowledges, for some three days',
    messages: webhookContracts.map(({ eventType }) => ({ $ref: `#/channels/webhooks/messages/${eventType}` })),
    bindings: POST,
    tags: TAGS,
  },
  sendOrderCallback: {
    action: 'send',
    channel: { $ref: '#/channels/orderCallbacks' },
    title: 'Send a callback',
    summary: 'Sends the status of an order to the client that requested it',
    messages: [{ $ref: '#/channels/orderCallbacks/messages/orderCallback' }],
    bindings: POST,
    tags: TAGS,
  },
});

/** Every webhook event. */
export const webhookMessages = (): object =>
  Object.fromEntries(
    webhookContracts.map(({ eventType, summary, schema }) => [
      componentOf(eventType),
      {
        name: eventType,
        title: eventType,
        summary,
        contentType: 'application/json',
        headers: WEBHOOK_HEADERS,
        payload: undialected(schema),
        examples: [{ name: eventType, summary, headers: exampleOf(WEBHOOK_HEADERS), payload: exampleOf(schema) }],
        tags: TAGS,
      },
    ]),
  );

/** The callback of an order. */
export const orderCallbackMessage = (): object => ({
  [ORDER_CALLBACK]: {
    name: ORDER_CALLBACK,
    title: 'Order callback',
    summary: 'The status of an order',
    contentType: 'application/json',
    headers: CALLBACK_HEADERS,
    payload: ORDER_CALLBACK_SCHEMA,
    examples: Object.entries(ORDER_CALLBACK_EXAMPLES).map(([name, payload]) => ({ name, headers: exampleOf(CALLBACK_HEADERS), payload })),
    tags: TAGS,
  },
});
