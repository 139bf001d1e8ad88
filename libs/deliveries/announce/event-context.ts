import type { RelatedResources, ResourceBody, EventContext, WebhookContract } from '../../contracts/webhook-contract.js';
import type { StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/handle.js';
import { aggregateIdOf, categoryOf, type RecordedEvent } from '../../eventsourcing/message.js';
import type { Projection } from '../../eventsourcing/projection.js';
import { ordersProjection } from '../../projections/orders.projection.js';
import { paymentsProjection } from '../../projections/payments.projection.js';
import { petsProjection } from '../../projections/pets.projection.js';
import { receiptOf } from '../../projections/receipt.js';
import { readDocumentFromLog } from '../../runtime/projecting/document-from-log.js';

/** The dependencies of loading resources as of a past event. */
export type ResourceHistory = {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly codec: ReadCodec;
  /** The prefix of every absolute URL in a body. */
  readonly publicUrl: () => string;
};

/**
 * The projections by category. Each folds streams of its own category only, so the cast drops the event types
 * safely.
 */
const PROJECTIONS = new Map<string, Projection>(
  [petsProjection, ordersProjection, paymentsProjection].map((one) => [one.category, one as unknown as Projection] as const),
);

/**
 * Loads the resource of an event as a GET would have returned it just before and just after the event, and
 * the related resources as of the event. Personal values stay encrypted.
 */
export const loadEventContext = async (
  history: ResourceHistory,
  event: RecordedEvent,
  needs: WebhookContract['needs'],
): Promise<EventContext> => {
  const { stream, revision } = event.meta;
  const projection = PROJECTIONS.get(categoryOf(stream));
  if (!projection) throw new Error(`no public read model shows the stream ${stream}`);
  const id = aggregateIdOf(stream);
  const before = revision === 0 ? null : await readDocumentFromLog(history, projection, id, revision - 1);
  const after = await readDocumentFromLog(history, projection, id, revision);
  return { before: bodyOf(before), after: bodyOf(after), related: await loadRelated(history, event, after, needs) };
};

const loadRelated = async (
  history: ResourceHistory,
  event: RecordedEvent,
  after: StoredDocument | null,
  needs: WebhookContract['needs'],
): Promise<RelatedResources> => {
  const { orderId, paymentId } = relatedIds(event);
  const own = categoryOf(event.meta.stream) === ordersProjection.category ? after : null;
  const past = logUpTo(history, event.position);
  const order = needs.includes('order') && orderId !== undefined ? await readDocumentFromLog(past, ordersProjection, orderId) : own;
  const payment =
    needs.includes('payment') && paymentId !== undefined ? await readDocumentFromLog(past, paymentsProjection, paymentId) : null;
  const receipt = order && payment && receiptOf(order, payment, history.publicUrl());
  return { order: bodyOf(order), payment: bodyOf(payment), receipt };
};

/** Limits the log to the events up to a position, so that a body is the same whenever it is built. */
const logUpTo = ({ store, codec }: ResourceHistory, position: number): Pick<ResourceHistory, 'store' | 'codec'> => ({
  codec,
  store: { readStream: async (...range) => (await store.readStream(...range)).filter((event) => event.position <= position) },
});

/** The ids of the order and the payment that an event names. The holder of a pet is an order too. */
const relatedIds = ({ data }: RecordedEvent): { readonly orderId?: string; readonly paymentId?: string } => {
  const named = data as { readonly orderId?: string; readonly paymentId?: string; readonly holder?: { readonly id: string } };
  const orderId = named.orderId ?? named.holder?.id;
  return { ...(orderId !== undefined && { orderId }), ...(named.paymentId !== undefined && { paymentId: named.paymentId }) };
};

const bodyOf = (document: StoredDocument | null): ResourceBody | null => document && (JSON.parse(document.json) as ResourceBody);
