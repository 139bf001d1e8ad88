import { ORDER_STATUSES } from '../domain/orders/order.events.js';
import { currency, either, exampleOf, id, instant, money, object, oneOf, text, type JsonSchema } from './message-schema.js';

/** The event type of order callbacks, in deliveries and in the documentation. */
export const ORDER_CALLBACK = 'order.callback';

/** The body of an order callback. */
export type OrderCallback = {
  /** The id of the callback request, from the header X-Callback-Request-Id of its response. */
  readonly requestId: string;
  readonly orderId: string;
  /** ISO 8601. */
  readonly timestamp: string;
} & (
  | {
      /** The order is open or paid, and the requested amount and currency match what is due. */
      readonly status: 'COMPLETED';
      readonly result: { readonly orderStatus: string; readonly amountDue: string; readonly currency: string };
    }
  | { readonly status: 'FAILED'; readonly result: { readonly reason: string } }
);

/** The schema of `result` if the status is COMPLETED (contract 17.5). */
export const COMPLETED_RESULT_SCHEMA = object(
  {
    orderStatus: oneOf('The status of the order', ORDER_STATUSES, 'approved'),
    amountDue: money(
      'The price when the order was placed, multiplied by the quantity. If the pet had no price, the requested amount. A payment does not reduce this amount',
      '250.00',
    ),
    currency: currency('The currency of the amount', 'USD'),
  },
  {},
  'The result when the status is COMPLETED',
);
/** The schema of `result` if the status is FAILED (contract 17.5). */
export const FAILED_RESULT_SCHEMA = object(
  { reason: text('Why the check failed', 'the order was cancelled') },
  {},
  'The result when the status is FAILED',
);

/** The schema of a callback's body (contract 17.5). */
export const ORDER_CALLBACK_SCHEMA: JsonSchema = {
  title: 'Order callback',
  ...object(
    {
      requestId: id(
        'The id of the callback request, from the X-Callback-Request-Id header of its response',
        '0190a6b6-405b-7e78-9f4d-7b5e9c6d8da4',
      ),
      orderId: id('The order', '0190a6b3-1d2f-7b45-8c1a-4e2b6d3f5a71'),
      status: oneOf(
        'COMPLETED: the order is open or paid, and the requested amount and currency match what is due. FAILED: any other case',
        ['COMPLETED', 'FAILED'],
        'COMPLETED',
      ),
      result: either('The result of the check', COMPLETED_RESULT_SCHEMA, FAILED_RESULT_SCHEMA),
      timestamp: instant('When the order was checked', '2026-01-02T03:04:05.678Z'),
    },
    {},
    'The status of an order, sent to the client that requested it',
  ),
};

const COMPLETED = exampleOf(ORDER_CALLBACK_SCHEMA) as object;

/** One example per status, for the documentation. */
export const ORDER_CALLBACK_EXAMPLES: Readonly<Record<OrderCallback['status'], object>> = {
  COMPLETED,
  FAILED: { ...COMPLETED, status: 'FAILED', result: exampleOf(FAILED_RESULT_SCHEMA) },
};
