import { ORDER_STATUSES } from '../domain/orders/order.events.js';
import { currency, either, exampleOf, id, instant, money, object, oneOf, text, type JsonSchema } from './message-schema.js';

/** What an order's callback is called in its delivery, and where it is described. */
export const ORDER_CALLBACK = 'order.callback';

/** What a callback says of the order. */
export type OrderCallback = {
  /** The one of the answer's X-Callback-Request-Id. */
  readonly requestId: string;
  readonly orderId: string;
  /** ISO 8601. */
  readonly timestamp: string;
} & (
  | {
      /** The order is open or paid, and what was asked about is what is due. */
      readonly status: 'COMPLETED';
      readonly result: { readonly orderStatus: string; readonly amountDue: string; readonly currency: string };
    }
  | { readonly status: 'FAILED'; readonly result: { readonly reason: string } }
);

const completed = object(
  {
    orderStatus: oneOf('What the order is', ORDER_STATUSES, 'approved'),
    amountDue: money('The price at ordering times the quantity, paid or not', '250.00'),
    currency: currency('Of the amount', 'USD'),
  },
  {},
  'Of COMPLETED',
);
const failed = object({ reason: text('Why it is not COMPLETED, in words', 'the order was cancelled') }, {}, 'Of FAILED');

/** "{requestId, orderId, status COMPLETED or FAILED, result, timestamp}" */
export const ORDER_CALLBACK_SCHEMA: JsonSchema = {
  title: 'Order callback',
  ...object(
    {
      requestId: id(
        'The request that asked for it, as its answer named it in X-Callback-Request-Id',
        '0190a6b6-405b-7e78-9f4d-7b5e9c6d8da4',
      ),
      orderId: id('The order', '0190a6b3-1d2f-7b45-8c1a-4e2b6d3f5a71'),
      status: oneOf(
        'COMPLETED when the order is open or paid, and amount and currency are what is due',
        ['COMPLETED', 'FAILED'],
        'COMPLETED',
      ),
      result: either('What was found', completed, failed),
      timestamp: instant('When the order was looked at', '2026-01-02T03:04:05.678Z'),
    },
    {},
    'The status of an order, sent to the client that requested it',
  ),
};

const COMPLETED = exampleOf(ORDER_CALLBACK_SCHEMA) as object;

/** One of each, for readers of the descriptions. */
export const ORDER_CALLBACK_EXAMPLES: Readonly<Record<OrderCallback['status'], object>> = {
  COMPLETED,
  FAILED: { ...COMPLETED, status: 'FAILED', result: exampleOf(failed) },
};
