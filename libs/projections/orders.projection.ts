import { multiplyAmount } from '../domain/money.js';
import type { OrderDetails, OrderEvent, OrderStatus } from '../domain/orders/order.events.js';
import { aggregateIdOf, type EventMeta } from '../eventsourcing/message.js';
import { projection, type Document } from '../eventsourcing/projection.js';

/** An order as the interface returns it; absent fields are omitted from the JSON. */
export type Order = {
  readonly id: string;
  readonly petId: string;
  readonly userId: string | undefined;
  readonly quantity: number;
  /** YYYY-MM-DD. */
  readonly shipDate: string | undefined;
  readonly status: OrderStatus;
  readonly complete: boolean;
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
  /** Decimal text; null when the pet had no price. */
  readonly amountDue: string | null;
  readonly currency: string | null;
};

type OrderDocument = Document<Order, OrderFields>;

const placed = (
  { petId, userId, quantity, shipDate, unitPrice, currency }: OrderDetails,
  { stream, tenant, time }: EventMeta,
): OrderDocument => ({
  body: { id: aggregateIdOf(stream), petId, userId, quantity, shipDate, status: 'placed', complete: false },
  fields: {
    tenant,
    status: 'placed',
    petId,
    userId: userId ?? null,
    placedAt: time,
    approvedAt: null,
    paymentId: null,
    amountDue: unitPrice === undefined ? null : multiplyAmount(unitPrice, quantity),
    currency: currency ?? null,
  },
});

const withStatus = (current: OrderDocument | null, status: OrderStatus): OrderDocument | null =>
  // Only a delivered order is complete (contract 13.1).
  current && { body: { ...current.body, status, complete: status === 'delivered' }, fields: { ...current.fields, status } };

const approved = (current: OrderDocument | null, paymentId: string, { time }: EventMeta): OrderDocument | null => {
  const document = withStatus(current, 'approved');
  return document && { ...document, fields: { ...document.fields, approvedAt: time, paymentId } };
};

const shipped = (current: OrderDocument | null, shipDate: string): OrderDocument | null => {
  const document = withStatus(current, 'shipped');
  if (!document) return null;
  // Lists the members again, because a new `shipDate` would otherwise be the last one in the JSON.
  const { id, petId, userId, quantity, status, complete } = document.body;
  return { ...document, body: { id, petId, userId, quantity, shipDate, status, complete } };
};

/**
 * Leaves the document unchanged but raises its revision. The entity tag then covers payments too, and
 * If-Match compares with the end of the stream.
 */
const unchanged = (current: OrderDocument | null): OrderDocument | null => current;

/** The read model of every order that is not removed. */
export const ordersProjection = projection<OrderEvent, Order, OrderFields>({
  name: 'orders',
  version: 1,
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
  },
  // One index per list query, newest first. Each also contains the fields of the other filters. The last
  // index finds the orders of all tenants that are due to expire.
  indexes: [
    ['tenant', '-placedAt', '-key', 'status', 'userId', 'petId'],
    ['tenant', 'status', '-placedAt', '-key', 'userId', 'petId'],
    ['tenant', 'userId', '-placedAt', '-key', 'status', 'petId'],
    ['tenant', 'petId', '-placedAt', '-key', 'status', 'userId'],
    ['status', 'placedAt'],
  ],
  // The inventory sums the quantities by status (contract 14.1).
  cells: ['tenant', 'status'],
  amount: ({ quantity }) => quantity,
  on: {
    OrderPlaced: (_, details, meta) => placed(details, meta),
    OrderPaymentStarted: unchanged,
    OrderPaymentFailed: unchanged,
    OrderApproved: (current, { paymentId }, meta) => approved(current, paymentId, meta),
    OrderShipped: (current, { shipDate }) => shipped(current, shipDate),
    OrderDelivered: (current) => withStatus(current, 'delivered'),
    OrderCancelled: (current) => withStatus(current, 'cancelled'),
    OrderRemoved: () => null,
    OrderCallbackRequested: unchanged,
    OrderCallbackEnded: unchanged,
  },
});
