import type { CommandBus } from '@nestjs/cqrs';
import type { OrderId } from '../domain/ids.js';
import type { Clock } from '../eventsourcing/clock.port.js';
import type { Documents } from '../eventsourcing/documents.port.js';
import { ordersProjection } from '../projections/orders.projection.js';
import { Perform } from './perform.js';
import { repeat } from './repeating.js';

const PAGE = 1000;
const LONGEST_WAIT = 60_000;
const SHORTEST_WAIT = 1_000;

/**
 * "An order unpaid for ORDER_HOLD is cancelled and the pet is AVAILABLE again." Asks the read model which orders are
 * due, oldest first; the decision is the order's own, and waits for a payment that is processing. Answers whether more
 * may be due.
 */
const expireOrders = async (documents: Documents, bus: CommandBus, now: Date, holdMilliseconds: number): Promise<boolean> => {
  const placedBefore = new Date(now.getTime() - holdMilliseconds).toISOString();
  const where = { status: 'placed', placedAt: { to: placedBefore } };
  const due = await documents.find(ordersProjection.collection, { where, sort: ['placedAt'], limit: PAGE, offset: 0 });
  for (const { key, fields } of due) {
    const context = { tenant: String(fields['tenant']), actor: 'process:order-expiry', correlationId: key, causationId: key };
    await bus.execute(new Perform({ type: 'ExpireOrder', data: { orderId: key as OrderId, placedBefore } }, context));
  }
  return due.length === PAGE;
};

export type OrderExpiry = {
  readonly clock: Clock;
  readonly documents: Documents;
  readonly bus: CommandBus;
  readonly holdMilliseconds: number;
  readonly onError: (error: unknown) => void;
};

/** Looks for due orders from time to time until stopped; the answer stops it and waits for the look under way. */
export const startOrderExpiry = ({ clock, documents, bus, holdMilliseconds, onError }: OrderExpiry): (() => Promise<void>) => {
  const wait = Math.min(LONGEST_WAIT, Math.max(SHORTEST_WAIT, holdMilliseconds / 10));
  const work = async (): Promise<number> => ((await expireOrders(documents, bus, clock.now(), holdMilliseconds)) ? SHORTEST_WAIT : wait);
  return repeat({ clock, first: wait, work, afterFailure: wait, onError });
};
