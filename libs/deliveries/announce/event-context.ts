import type { RelatedResources, ResourceBody, EventContext, WebhookContract } from '../../contracts/webhook-contract.js';
import type { StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/handle.js';
import { aggregateIdOf, categoryOf, type RecordedEvent } from '../../eventsourcing/message.js';
import type { Projection } from '../../eventsourcing/projection.js';
import { adoptionsProjection } from '../../projections/adoptions.projection.js';
import { ordersProjection } from '../../projections/orders.projection.js';
import { paymentsProjection } from '../../projections/payments.projection.js';
import { petsProjection } from '../../projections/pets.projection.js';
import { publicPhotos } from '../../projections/photo-references.js';
import { receiptOf } from '../../projections/receipt.js';
import { readDocumentFromLog } from '../../runtime/projecting/document-from-log.js';

/** The dependencies of `loadEventContext`. */
export type ResourceHistory = {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly codec: ReadCodec;
  /** The prefix of every absolute URL in a body. */
  readonly publicUrl: () => string;
};

/**
 * The projections by category. The cast drops their event types. It is safe, because each projection receives only events of
 * its own category.
 */
const PROJECTIONS = new Map<string, Projection>(
  [petsProjection, ordersProjection, paymentsProjection].map((one) => [one.category, one as unknown as Projection] as const),
);

/**
 * Loads the resource of an event as a GET would have returned it just before and just after the event. Also loads the related
 * resources as of the event. Personal values stay encrypted.
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
  const url = history.publicUrl();
  return { before: bodyOf(before, url), after: bodyOf(after, url), related: await loadRelated(history, event, after, needs) };
};

const loadRelated = async (
  history: ResourceHistory,
  event: RecordedEvent,
  after: StoredDocument | null,
  needs: WebhookContract['needs'],
): Promise<RelatedResources> => {
  const { orderId, paymentId, adoptionId } = relatedIds(event);
  // For an event of an order, the related order is the resource itself.
  const own = categoryOf(event.meta.stream) === ordersProjection.category ? after : null;
  const past = logUpTo(history, event.position);
  const order = needs.includes('order') && orderId !== undefined ? await readDocumentFromLog(past, ordersProjection, orderId) : own;
  const payment =
    needs.includes('payment') && paymentId !== undefined ? await readDocumentFromLog(past, paymentsProjection, paymentId) : null;
  const adoption =
    needs.includes('adoption') && adoptionId !== undefined ? await readDocumentFromLog(past, adoptionsProjection, adoptionId) : null;
  const url = history.publicUrl();
  const receipt = order && payment && receiptOf(order, payment, url);
  return { order: bodyOf(order, url), payment: bodyOf(payment, url), adoption: bodyOf(adoption, url), receipt };
};

/** Limits the log to the events up to a position, so that a body is the same whenever it is built. */
const logUpTo = ({ store, codec }: ResourceHistory, position: number): Pick<ResourceHistory, 'store' | 'codec'> => ({
  codec,
  store: { readStream: async (...range) => (await store.readStream(...range)).filter((event) => event.position <= position) },
});

/** The ids of the resources that an event names. Events of pets name the order as `holder`. */
type RelatedIds = { readonly orderId?: string; readonly paymentId?: string; readonly adoptionId?: string };

const relatedIds = ({ data }: RecordedEvent): RelatedIds => {
  const { holder, ...named } = data as RelatedIds & { readonly holder?: { readonly id: string } };
  return holder ? { orderId: holder.id, ...named } : named;
};

const bodyOf = (document: StoredDocument | null, publicUrl: string): ResourceBody | null =>
  document && (JSON.parse(publicPhotos(document.json, publicUrl)) as ResourceBody);
