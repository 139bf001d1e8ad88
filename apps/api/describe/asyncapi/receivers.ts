import { exampleOf } from '../../../../libs/contracts/message-schema.js';
import { ORDER_CALLBACK, ORDER_CALLBACK_EXAMPLES } from '../../../../libs/contracts/order-callback.js';
import { CALLBACK_HEADERS, WEBHOOK_HEADERS } from '../../../../libs/contracts/signed-headers.js';
import { webhookContracts } from '../../../../libs/contracts/webhooks.js';
import { CALLBACK_HEADERS_NAME, CALLBACK_NAME, schemaRef, WEBHOOK_HEADERS_NAME, webhookName } from './schemas.js';

/** The bindings of an operation that sends its messages in POST requests. */
const POST = { http: { method: 'POST', bindingVersion: '0.3.0' } };
const TAGS = [{ name: 'receivers' }];

/** Returns the name of a webhook's message among the components. */
const componentOf = (eventType: string): string => `webhook.${eventType}`;

/**
 * Creates the channels of webhooks and callbacks.
 * The address of each channel is null, because each receiver has its own URL.
 */
export const receiverChannels = (): object => ({
  webhooks: {
    address: null,
    title: 'A webhook endpoint',
    summary: 'The events that an endpoint subscribes to',
    description: 'The address is the URL that was registered at /v1/webhooks. Any 2xx response acknowledges the message.',
    servers: [{ $ref: '#/servers/receiver' }],
    messages: Object.fromEntries(
      webhookContracts.map(({ eventType }) => [eventType, { $ref: `#/components/messages/${componentOf(eventType)}` }]),
    ),
    tags: TAGS,
  },
  orderCallbacks: {
    address: null,
    title: 'The callback URL of an order',
    summary: 'The status of an order, sent to the client that requested it',
    description: 'The address is the callbackUrl in the body of POST /v1/orders/{id}. Any 2xx response acknowledges the message.',
    servers: [{ $ref: '#/servers/receiver' }],
    messages: { orderCallback: { $ref: `#/components/messages/${ORDER_CALLBACK}` } },
    tags: TAGS,
  },
});

/** Creates the operations that send webhooks and callbacks. */
export const receiverOperations = (): object => ({
  sendWebhook: {
    action: 'send',
    channel: { $ref: '#/channels/webhooks' },
    title: 'Send a webhook',
    summary: 'Sends an event to an endpoint. If the endpoint does not acknowledge the event, retries for about three days',
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

/** Creates the messages of webhooks. */
export const webhookMessages = (): object =>
  Object.fromEntries(
    webhookContracts.map(({ eventType, summary, schema }) => [
      componentOf(eventType),
      {
        name: eventType,
        title: eventType,
        summary,
        contentType: 'application/json',
        headers: schemaRef(WEBHOOK_HEADERS_NAME),
        payload: schemaRef(webhookName(eventType)),
        examples: [{ name: eventType, summary, headers: exampleOf(WEBHOOK_HEADERS), payload: exampleOf(schema) }],
        tags: TAGS,
      },
    ]),
  );

/** Creates the message of order callbacks. */
export const orderCallbackMessage = (): object => ({
  [ORDER_CALLBACK]: {
    name: ORDER_CALLBACK,
    title: 'Order callback',
    summary: 'The status of an order',
    contentType: 'application/json',
    headers: schemaRef(CALLBACK_HEADERS_NAME),
    payload: schemaRef(CALLBACK_NAME),
    examples: Object.entries(ORDER_CALLBACK_EXAMPLES).map(([name, payload]) => ({ name, headers: exampleOf(CALLBACK_HEADERS), payload })),
    tags: TAGS,
  },
});
