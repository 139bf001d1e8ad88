import type { Operation } from '../http/operation.js';
import { OWNER_WHEN_STRICT } from '../http/pipeline/access.js';
import { shapeOf } from '../http/validation/shape.js';
import { OrderCallbackRequest } from './order-callback.dto.js';

/** Example values for readers of the interface description; each is checked against its schema. */
const ORDER_CALLBACK_EXAMPLE = {
  amount: '250.00',
  currency: 'USD',
  timestamp: '2026-01-02T03:04:05Z',
  callbackUrl: 'https://shop.example.com/callbacks',
};

/** The callback operation. */
export const ORDER_CALLBACK_OPERATIONS = {
  callbackOrder: {
    method: 'POST',
    path: '/v1/orders/{id}',
    access: OWNER_WHEN_STRICT,
    tag: 'Orders',
    summary: 'Request an order callback',
    description:
      'The order is checked in the background, and the outcome posted to callbackUrl: COMPLETED when the order is open or paid and amount and currency are what is due, else FAILED. ' +
      'It carries the requestId of this answer’s X-Callback-Request-Id, is signed with the key at /v1/webhooks/public-key, and is repeated until it is acknowledged. ' +
      'Five callbacks of an order may be on their way at once.',
    body: shapeOf(OrderCallbackRequest),
    bodyExample: ORDER_CALLBACK_EXAMPLE,
    // "Where an operation lists only 400 (QUERY /pets, POST /orders/{id}), validation failures are 400 there."
    violations: 'invalid-request',
    idempotent: true,
    success: {
      status: 201,
      description: 'The callback will come',
      schema: 'OrderCallbackAccepted',
      example: {},
      headers: ['X-Callback-Request-Id'],
    },
    problems: ['not-found', 'conflict'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
