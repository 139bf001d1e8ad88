import type { OrderId } from '../../domain/ids.js';
import type { OrderCommand } from '../../domain/orders/order.commands.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import type { Execute } from '../../eventsourcing/process.js';
import { ordersProjection } from '../../projections/orders.projection.js';
import { repeat } from '../../runtime/following/repeat.js';

const PAGE = 1000;
/** An order is cancelled at most 5 s after its time: the rest is for the cancelling. */
const LONGEST_WAIT = 3_000;
const SHORTEST_WAIT = 1_000;

type DueOrder = { readonly orderId: OrderId; readonly tenant: string };

/** The orders that the read model shows as unpaid since then or longer, oldest first. */
const dueOrders = async (documents: Documents, placedBefore: string): Promise<readonly DueOrder[]> => {
  const where = { status: 'placed', placedAt: { to: placedBefore } };
  const due: DueOrder[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await documents.find(ordersProjection.collection, { where, sort: ['placedAt'], limit: PAGE, offset });
    for (const { key, fields } of page) due.push({ orderId: key as OrderId, tenant: String(fields['tenant']) });
    if (page.length < PAGE) return due;
  }
};

/**
 * "An order unpaid for ORDER_HOLD is cancelled and the pet is AVAILABLE again." The decision is the order's own, and waits for a payment that
 * is processing. One that cannot be decided is told and left for the next look: the others are not to wait for it.
 */
const expireOrders = async (
  { clock, documents, perform, orderHoldMilliseconds, onError }: OrderExpiry,
  stopping: AbortSignal,
): Promise<void> => {
  const placedBefore = new Date(clock.now().getTime() - orderHoldMilliseconds).toISOString();
  for (const { orderId, tenant } of await dueOrders(documents, placedBefore)) {
    if (stopping.aborted) return;
    const context = { tenant, actor: 'process:order-expiry', correlationId: orderId, causationId: orderId };
    try {
      await perform({ type: 'ExpireOrder', data: { orderId, placedBefore } }, context);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      onError(new Error(`whether order ${orderId} is over cannot be decided`, { cause: error }));
    }
  }
};

export type OrderExpiry = {
  readonly clock: Clock;
  readonly documents: Documents;
  readonly perform: Execute<Extract<OrderCommand, { type: 'ExpireOrder' }>>;
  readonly orderHoldMilliseconds: number;
  readonly onError: (error: unknown) => void;
};

/** Looks for due orders from time to time until stopped; the answer stops it and waits for the order under way. */
export const startOrderExpiry = (expiry: OrderExpiry): (() => Promise<void>) => {
  const { clock, orderHoldMilliseconds, onError } = expiry;
  const wait = Math.min(LONGEST_WAIT, Math.max(SHORTEST_WAIT, orderHoldMilliseconds / 10));
  const stopping = new AbortController();
  const work = (): Promise<number> => expireOrders(expiry, stopping.signal).then(() => wait);
  const stop = repeat({ clock, first: wait, work, afterFailure: wait, onError });
  return () => {
    stopping.abort();
    return stop();
  };
};
