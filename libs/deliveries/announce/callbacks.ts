import { ORDER_CALLBACK, type OrderCallback } from '../../contracts/order-callback.js';
import type { OrderId } from '../../domain/ids.js';
import type { CallbackResult } from '../../domain/orders/callback-check.js';
import type { OrderEvent } from '../../domain/orders/order.events.js';
import { aggregateIdOf, type RecordedEvent } from '../../eventsourcing/message.js';
import { continueTrace } from '../../eventsourcing/ports/tracing.port.js';
import { newDelivery, type Delivery } from '../delivery.js';
import { uuidV5 } from '../uuid-v5.js';

export type CallbackRequested = Extract<OrderEvent, { type: 'OrderCallbackRequested' }>;

/** Builds the delivery of a callback (contract 17.5). */
export const callbackDelivery = (event: RecordedEvent<CallbackRequested>, check: CallbackResult, now: Date): Delivery => {
  const { tenant, stream, revision, traceparent } = event.meta;
  const { requestId, callbackUrl: url } = event.data;
  const orderId = aggregateIdOf(stream) as OrderId;
  const eventId = uuidV5(event.id, ORDER_CALLBACK);
  const content = {
    id: eventId,
    tenant,
    target: { kind: 'callback', orderId, requestId, url } as const,
    eventId,
    eventType: ORDER_CALLBACK,
    stream,
    revision,
    sequence: null,
    body: JSON.stringify({ requestId, orderId, ...check, timestamp: now.toISOString() } satisfies OrderCallback),
  };
  return newDelivery(now, continueTrace(content, traceparent));
};
