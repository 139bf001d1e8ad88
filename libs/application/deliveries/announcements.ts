import { orderDecider, type OrderState } from '../../domain/orders/order.decider.js';
import type { OrderEvent } from '../../domain/orders/order.events.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import type { Consumer } from '../../eventsourcing/messages.port.js';
import { turn } from '../../eventsourcing/turn.js';
import { eventOf } from '../codec.js';
import { announcerOf, announcingOn, type Announcing, type AnnouncingPorts } from './announcing.js';
import { callbackDelivery, callbackResult, type CallbackRequested } from './callbacks.js';
import type { KnownEndpoints } from './known-endpoints.js';
import { send } from './sending.js';

/** The stored position of what tells the outside goes by this name. */
const ANNOUNCEMENTS = 'announcements';

const CALLBACK_REQUESTED = 'OrderCallbackRequested';

/**
 * Lets the outside hear of what happens: follows the log, and for every webhook event and every order callback puts a
 * delivery and the work to send it. Rejects when that could not be done, so that the message comes again.
 */
export const createAnnouncements = (ports: AnnouncingPorts, endpoints: KnownEndpoints): Consumer => {
  const announcing = announcingOn(ports);
  const { store, codec } = ports;
  const announce = announcerOf(announcing);
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
      const [stored] = await store.readStream(stream, revision, 1);
      if (!stored) throw new Error(`no event ${revision} in ${stream}`);
      const event = codec.decode(stored);
      if (event.type === CALLBACK_REQUESTED) await checkOrder(announcing, eventOf<CallbackRequested>(event));
      else await announce(event, known ?? (await endpoints.of(event.meta.tenant, event.position)));
    },
  };
};

/** "The consumer then checks the order", as it stands now. */
const checkOrder = async (announcing: Announcing, event: RecordedEvent<CallbackRequested>): Promise<void> => {
  const order = await orderIn(announcing, event.meta.stream);
  await send(announcing, callbackDelivery(event, callbackResult(order, event.data), announcing.clock.now()));
};

const PAGE = 1_000;

const orderIn = async ({ store, codec }: Announcing, stream: string): Promise<OrderState> => {
  let order = orderDecider.initial;
  for (let from = 0; ; from += PAGE) {
    const page = await store.readStream(stream, from, PAGE);
    for (const stored of page) {
      const event = eventOf<OrderEvent>(codec.decode(stored));
      order = orderDecider.evolve(order, event, event.meta);
    }
    if (page.length < PAGE) return order;
  }
};
