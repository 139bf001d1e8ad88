import { ORDER_CALLBACK, type OrderCallback } from '../../contracts/order-callback.js';
import type { OrderId } from '../../domain/ids.js';
import { equals } from '../../domain/money.js';
import { amountDue, type OrderState } from '../../domain/orders/order.decider.js';
import type { OrderEvent } from '../../domain/orders/order.events.js';
import { aggregateIdOf, type RecordedEvent } from '../../eventsourcing/message.js';
import { newDelivery, type Delivery } from '../delivery.js';
import { uuidV5 } from '../uuid-v5.js';

export type CallbackRequested = Extract<OrderEvent, { type: 'OrderCallbackRequested' }>;

/** What becomes of a callback's check. */
type CallbackResult = Pick<Extract<OrderCallback, { status: 'COMPLETED' }>, 'status' | 'result'> | Failed;

type Failed = Pick<Extract<OrderCallback, { status: 'FAILED' }>, 'status' | 'result'>;

/**
 * "COMPLETED with result {orderStatus, amountDue, currency} when the order is open or paid and amount and currency match
 * what is due, else FAILED with result {reason}." Where the pet had no price, any amount is due, as for a payment.
 */
export const callbackResult = (order: OrderState, { amount, currency }: CallbackRequested['data']): CallbackResult => {
  if (order.status === 'unplaced' || order.status === 'removed') return failed('there is no such order any more');
  if (order.status === 'cancelled') return failed('the order was cancelled');
  const due = amountDue(order) ?? amount;
  if (!equals(amount, due)) return failed('the amount is not what is due');
  if ((order.terms.currency ?? currency) !== currency) return failed('the currency is not that of the order');
  return { status: 'COMPLETED', result: { orderStatus: order.status, amountDue: due, currency } };
};

const failed = (reason: string): Failed => ({ status: 'FAILED', result: { reason } });

/** "a JSON body: requestId, orderId, status, result, timestamp", on its way to where the caller asked for it. */
export const callbackDelivery = (event: RecordedEvent<CallbackRequested>, checked: CallbackResult, now: Date): Delivery => {
  const { tenant, stream, revision } = event.meta;
  const { requestId, callbackUrl: url } = event.data;
  const orderId = aggregateIdOf(stream) as OrderId;
  const eventId = uuidV5(event.id, ORDER_CALLBACK);
  return newDelivery(now, {
    id: eventId,
    tenant,
    target: { kind: 'callback', orderId, requestId, url },
    eventId,
    eventType: ORDER_CALLBACK,
    stream,
    revision,
    sequence: null,
    body: JSON.stringify({ requestId, orderId, ...checked, timestamp: now.toISOString() } satisfies OrderCallback),
  });
};
