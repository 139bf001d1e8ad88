import { numberFromId } from '../domain/number-from-id.js';
import { amountDue } from '../domain/orders/amount-due.js';
import type { OrderDetails, OrderEvent, OrderPaymentStatus, OrderStatus } from '../domain/orders/order.events.js';
import { aggregateIdOf, type EventMeta } from '../eventsourcing/message.js';
import { projection, type Document } from '../eventsourcing/projection.js';

/** An order as the interface returns it. The JSON omits undefined fields. */
export type Order = {
  readonly id: string;
  readonly petId: string;
  readonly userId: string | undefined;
  readonly quantity: number;
  /** YYYY-MM-DD. */
  readonly shipDate: string | undefined;
  readonly status: OrderStatus;
  readonly complete: boolean;
  /** The unit price times the quantity, as decimal text. Undefined if the pet had no price. */
  readonly amountDue: string | undefined;
  readonly currency: string | undefined;
  /** Undefined before the first payment. */
  readonly paymentStatus: OrderPaymentStatus | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** The fields that orders are queried, sorted and counted by, and those that receipts and callbacks need. */
type OrderFields = {
  readonly tenant: string;
  readonly status: OrderStatus;
  readonly petId: string;
  readonly userId: string | null;
  readonly placedAt: string;
  /** Null until a payment has approved the order. */
  readonly approvedAt: string | null;
  readonly paymentId: string | null;
  /** The unit price times the quantity, as decimal text. Null if the pet had no price. */
  readonly amountDue: string | null;
  readonly currency: string | null;
  /** The id in the classic variant (contract 39.3). */
  readonly number: number;
};

type OrderDocument = Document<Order, OrderFields>;

const placed = (details: OrderDetails, { stream, tenant, time }: EventMeta): OrderDocument => {
  const { petId, userId, quantity, shipDate, currency, number } = details;
  const due = amountDue({ terms: details });
  const id = aggregateIdOf(stream);
  const view = { amountDue: due ?? undefined, currency, paymentStatus: undefined, createdAt: time, updatedAt: time };
  return {
    body: { id, petId, userId, quantity, shipDate, status: 'placed', complete: false, ...view },
    fields: {
      tenant,
      status: 'placed',
      petId,
      userId: userId ?? null,
      placedAt: time,
      approvedAt: null,
      paymentId: null,
      amountDue: due,
      currency: currency ?? null,
      number: number ?? numberFromId(id),
    },
  };
};

/** Changes members of the body. Keeps the documented order of the members: the stored body omits those that are undefined. */
const changed = (current: OrderDocument | null, changes: Partial<Order>, { time }: EventMeta): OrderDocument | null => {
  if (!current) return null;
  const { id, petId, userId, quantity, shipDate, status, complete, ...rest } = { ...current.body, ...changes, updatedAt: time };
  const { amountDue, currency, paymentStatus, createdAt, updatedAt } = rest;
  const body = { id, petId, userId, quantity, shipDate, status, complete, amountDue, currency, paymentStatus, createdAt, updatedAt };
  return { body, fields: { ...current.fields, status } };
};

const withStatus = (
  current: OrderDocument | null,
  status: OrderStatus,
  meta: EventMeta,
  changes: Partial<Order> = {},
): OrderDocument | null =>
  // Only a delivered order is complete (contract 13.1).
  changed(current, { ...changes, status, complete: status === 'delivered' }, meta);

const approved = (current: OrderDocument | null, paymentId: string, meta: EventMeta): OrderDocument | null => {
  const document = withStatus(current, 'approved', meta, { paymentStatus: 'succeeded' });
  return document && { ...document, fields: { ...document.fields, approvedAt: meta.time, paymentId } };
};

/**
 * Leaves the document unchanged. Unlike `'ignore'`, this handler raises the revision of the document, and so its entity tag: the tag
 * is the revision of the stream that an append under If-Match expects (contract 8.3).
 */
const unchanged = (current: OrderDocument | null): OrderDocument | null => current;

/** The read model of every order that is not removed. */
export const ordersProjection = projection<OrderEvent, Order, OrderFields>({
  name: 'orders',
  version: 3,
  category: 'order',
  fields: {
    tenant: 'text',
    status: 'text',
    petId: 'text',
    userId: 'text',
    placedAt: 'text',
    approvedAt: 'text',
    paymentId: 'text',
    amountDue: 'text',
    currency: 'text',
    number: 'integer',
  },
  // One index for each list query, newest first, with the fields of the other filters at its end. The last two indexes find
  // the orders that are due to expire, in all tenants together, and an order by its number.
  indexes: [
    ['tenant', '-placedAt', '-key', 'status', 'userId', 'petId'],
    ['tenant', 'status', '-placedAt', '-key', 'userId', 'petId'],
    ['tenant', 'userId', '-placedAt', '-key', 'status', 'petId'],
    ['tenant', 'petId', '-placedAt', '-key', 'status', 'userId'],
    ['status', 'placedAt'],
    ['tenant', 'number'],
  ],
  // The inventory sums the quantities by status (contract 14.1).
  cells: ['tenant', 'status'],
  amount: ({ quantity }) => quantity,
  on: {
    OrderPlaced: (_, details, meta) => placed(details, meta),
    OrderPaymentStarted: (current, _, meta) => changed(current, { paymentStatus: 'processing' }, meta),
    OrderPaymentFailed: (current, _, meta) => changed(current, { paymentStatus: 'failed' }, meta),
    OrderPaymentRefunded: (current, _, meta) => changed(current, { paymentStatus: 'refunded' }, meta),
    OrderApproved: (current, { paymentId }, meta) => approved(current, paymentId, meta),
    OrderShipped: (current, { shipDate }, meta) => withStatus(current, 'shipped', meta, { shipDate }),
    OrderDelivered: (current, _, meta) => withStatus(current, 'delivered', meta),
    OrderCancelled: (current, _, meta) => withStatus(current, 'cancelled', meta),
    OrderRemoved: () => null,
    OrderCallbackRequested: unchanged,
    OrderCallbackEnded: unchanged,
  },
});
