import { ORDER_CALLBACK, type OrderCallback } from '../../contracts/order-callback.js';
import type { OrderId } from '../../domain/ids.js';
import { checkForCallback, type CallbackResult } from '../../domain/orders/callback-check.js';
import type { OrderEvent } from '../../domain/orders/order.events.js';
import { aggregateIdOf, type RecordedEvent } from '../../eventsourcing/message.js';
import { continueTrace, inSpan, parentOfMessage } from '../../eventsourcing/ports/tracing.port.js';
import { newDelivery, type Delivery } from '../delivery.js';
import { uuidV5 } from '../uuid-v5.js';
import { orderDecider, type OrderState } from '../../domain/orders/order.decider.js';
import type { Consumer } from '../../eventsourcing/ports/messages.port.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { readEvent } from '../../runtime/codec/verified-history.js';
import { StreamFolds, type Folding } from '../../runtime/projecting/stream-folds.js';
import { createAnnouncer, createAnnounceContext, type AnnounceContext, type AnnouncePorts } from './announcer.js';
import type { EndpointLookup } from './endpoint-lookup.js';
import { storeAndSend } from '../dispatch/send.js';

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

/** The name of the consumer and of its stored checkpoint. */
export const ANNOUNCEMENTS = 'announcements';

const CALLBACK_REQUESTED = 'OrderCallbackRequested';

/**
 * Creates the consumer that stores and enqueues a delivery for every webhook event and every order callback.
 * If `handle` rejects, the message is handled again.
 */
export const createAnnouncements = (ports: AnnouncePorts, endpoints: EndpointLookup): Consumer => {
  const context = createAnnounceContext(ports);
  const { store, codec, tracing } = ports;
  const announce = createAnnouncer(context);
  const orders = new StreamFolds(ports, ORDER);
  const callbacks = new Set([CALLBACK_REQUESTED]);
  const types = new Set([CALLBACK_REQUESTED, ...context.contracts.flatMap(({ from }) => from)]);
  return {
    name: ANNOUNCEMENTS,
    types,
    // Without any endpoint, only callback requests are handled.
    currentTypes: async () => ((await endpoints.any()) ? types : callbacks),
    async handle({ stream, revision, type, tenant, position, traceparent: ofMessage }) {
      // Yields before the endpoints are read. If it yielded later, the endpoints could change in between.
      await yieldToEventLoop();
      // Null if the event is a callback request, or if its position is not known before the event is read.
      const tenantEndpoints = type === CALLBACK_REQUESTED || position === undefined ? null : await endpoints.of(tenant, position);
      // If the tenant has no endpoints, the event is not read.
      if (tenantEndpoints?.length === 0) return;
      if (codec.skippedRevisions(ANNOUNCEMENTS, stream).includes(revision)) return;
      const event = await readEvent({ store, codec }, stream, revision);
      if (!event) throw new Error(`no event ${revision} in ${stream}`);
      const attributes = { 'petstore.consumer': ANNOUNCEMENTS, 'petstore.event': event.type };
      const parent = parentOfMessage(ofMessage, event.meta.traceparent);
      await inSpan(tracing, parent, { name: `consume ${event.type}`, kind: 'consumer', attributes }, async (traceparent) => {
        const traced = { ...event, meta: continueTrace(event.meta, traceparent) };
        if (event.type === CALLBACK_REQUESTED) await sendCallback(context, orders, eventOf<CallbackRequested>(traced));
        else await announce(traced, tenantEndpoints ?? (await endpoints.of(event.meta.tenant, event.position)));
      });
    },
  };
};

/** Checks the order in its current state and sends the callback (contract 17.4). */
const sendCallback = async (
  context: AnnounceContext,
  orders: StreamFolds<OrderState>,
  event: RecordedEvent<CallbackRequested>,
): Promise<void> => {
  const order = await orders.upTo(event.meta.stream);
  await storeAndSend(context, callbackDelivery(event, checkForCallback(order, event.data), context.clock.now()));
};

const ORDER: Folding<OrderState> = {
  initial: orderDecider.initial,
  apply: (order, event) => orderDecider.evolve(order, eventOf<OrderEvent>(event), event.meta),
};
