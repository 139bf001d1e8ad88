import type { OrderId } from '../../domain/ids.js';
import type { OrderCommand } from '../../domain/orders/order.commands.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import type { Execute } from '../../eventsourcing/process.js';
import { ordersProjection } from '../../projections/orders.projection.js';
import { repeat } from '../../runtime/following/repeat.js';

const PAGE = 1000;
/**
 * Milliseconds between searches. An order must be cancelled at most 5 s after it is due; the other 2 s are
 * for the cancellation.
 */
const MAX_INTERVAL = 3_000;
const MIN_INTERVAL = 1_000;

type DueOrder = { readonly orderId: OrderId; readonly tenant: string };

/** Returns the orders that the read model shows as unpaid since `placedBefore`, oldest first. */
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
 * Cancels the orders that were unpaid for ORDER_HOLD (contract 13.7). The decider rejects the expiry of an
 * order whose payment is processing. An order that causes an error is reported and tried again in the next
 * search; the other orders do not wait for it.
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
      onError(new Error(`could not expire order ${orderId}`, { cause: error }));
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

/**
 * Searches for due orders periodically. Returns a function that stops the searches and waits for the current
 * order.
 */
export const startOrderExpiry = (expiry: OrderExpiry): (() => Promise<void>) => {
  const { clock, orderHoldMilliseconds, onError } = expiry;
  const wait = Math.min(MAX_INTERVAL, Math.max(MIN_INTERVAL, orderHoldMilliseconds / 10));
  const stopping = new AbortController();
  const work = (): Promise<number> => expireOrders(expiry, stopping.signal).then(() => wait);
  const stop = repeat({ clock, firstDelay: wait, work, failureDelay: wait, onError });
  return () => {
    stopping.abort();
    return stop();
  };
};
