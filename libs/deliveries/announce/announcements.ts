import { checkForCallback } from '../../domain/orders/callback-check.js';
import { orderDecider, type OrderState } from '../../domain/orders/order.decider.js';
import type { OrderEvent } from '../../domain/orders/order.events.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import type { Consumer } from '../../eventsourcing/ports/messages.port.js';
import { turn } from '../../eventsourcing/turn.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { eventAt, historyOf } from '../../runtime/codec/verified-history.js';
import { createAnnouncer, createAnnounceContext, type AnnounceContext, type AnnouncePorts } from './announcer.js';
import { callbackDelivery, type CallbackRequested } from './callbacks.js';
import type { EndpointLookup } from './endpoint-lookup.js';
import { sendNew } from '../dispatch/send.js';

/** The stored position of what tells the outside goes by this name. */
const ANNOUNCEMENTS = 'announcements';

const CALLBACK_REQUESTED = 'OrderCallbackRequested';

/**
 * Lets the outside hear of what happens: follows the log, and for every webhook event and every order callback puts a
 * delivery and the work to send it. Rejects when that could not be done, so that the message comes again.
 */
export const createAnnouncements = (ports: AnnouncePorts, endpoints: EndpointLookup): Consumer => {
  const announcing = createAnnounceContext(ports);
  const { store, codec } = ports;
  const announce = createAnnouncer(announcing);
  const callbacks = new Set([CALLBACK_REQUESTED]);
  const types = new Set([CALLBACK_REQUESTED, ...announcing.contracts.flatMap(({ from }) => from)]);
  return {
    name: ANNOUNCEMENTS,
    types,
    // While there is no endpoint, events need not even be looked at.
    typesNow: async () => ((await endpoints.any()) ? types : callbacks),
    async handle({ stream, revision, type, tenant, position }) {
      // Before the endpoints are looked at, and not after: they may be others by then.
      await turn();
      const known = type === CALLBACK_REQUESTED || position === undefined ? null : await endpoints.of(tenant, position);
      // An event that nobody asked for need not be read.
      if (known?.length === 0) return;
      const event = await eventAt({ store, codec }, stream, revision);
      if (!event) throw new Error(`no event ${revision} in ${stream}`);
      if (event.type === CALLBACK_REQUESTED) await checkOrder(announcing, eventOf<CallbackRequested>(event));
      else await announce(event, known ?? (await endpoints.of(event.meta.tenant, event.position)));
    },
  };
};

/** "The consumer then checks the order", as it stands now. */
const checkOrder = async (announcing: AnnounceContext, event: RecordedEvent<CallbackRequested>): Promise<void> => {
  const order = await orderIn(announcing, event.meta.stream);
  await sendNew(announcing, callbackDelivery(event, checkForCallback(order, event.data), announcing.clock.now()));
};

const orderIn = async (log: AnnounceContext, stream: string): Promise<OrderState> => {
  const events = await historyOf(log, stream);
  return events.reduce((order, event) => orderDecider.evolve(order, eventOf<OrderEvent>(event), event.meta), orderDecider.initial);
};
