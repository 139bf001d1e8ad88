import type { RelatedResources, ResourceBody, EventContext, WebhookContract } from '../../contracts/webhook-contract.js';
import type { DocumentFold } from '../../eventsourcing/projection.js';
import { aggregateIdOf, categoryOf, type RecordedEvent } from '../../eventsourcing/message.js';
import { NO_DOCUMENT, foldEvent, hasSkipped, type FoldedDocument } from '../../eventsourcing/streams/folded-document.js';
import { adoptionsProjection } from '../../projections/adoptions.projection.js';
import { ordersProjection } from '../../projections/orders.projection.js';
import { paymentsProjection } from '../../projections/payments.projection.js';
import { petsProjection } from '../../projections/pets.projection.js';
import { publicPhotos } from '../../projections/photo-references.js';
import { receiptOf } from '../../projections/receipt.js';
import { webhooksProjection } from '../../projections/webhooks.projection.js';
import type { VerifiedLog } from '../../runtime/codec/verified-history.js';
import { StreamFolds } from '../../runtime/projecting/stream-folds.js';

/** The dependencies of `loadEventContext`. */
export type ResourceHistory = {
  readonly folds: DocumentFolds;
  /** The prefix of every absolute URL in a body. */
  readonly publicUrl: () => string;
};

/** The documents of streams, as a GET would have returned them at some time. Personal values stay encrypted. */
export type DocumentFolds = StreamFolds<FoldedDocument>;

const PROJECTIONS = new Map<string, DocumentFold>(
  [petsProjection, ordersProjection, paymentsProjection, adoptionsProjection, webhooksProjection].map((one) => [one.category, one]),
);

/** Creates the folds of the streams that a public read model shows. */
export const createDocumentFolds = (log: VerifiedLog): DocumentFolds =>
  new StreamFolds(log, {
    initial: NO_DOCUMENT,
    apply: (folded, event) => foldEvent(projectionOf(event.meta.stream), folded, event),
    leavesOutSkipped: (stream, folded, revision) =>
      hasSkipped(folded, log.codec.skippedRevisions(projectionOf(stream).name, stream), revision),
  });

const projectionOf = (stream: string): DocumentFold => {
  const projection = PROJECTIONS.get(categoryOf(stream));
  if (!projection) throw new Error(`no public read model shows the stream ${stream}`);
  return projection;
};

/**
 * Loads the resource of an event as a GET would have returned it just before and just after the event. Also loads the related
 * resources as of the event.
 */
export const loadEventContext = async (
  history: ResourceHistory,
  event: RecordedEvent,
  needs: WebhookContract['needs'],
): Promise<EventContext> => {
  const [before, after] = await history.folds.around(event);
  const url = history.publicUrl();
  return { before: bodyOf(before, url), after: bodyOf(after, url), related: await loadRelated(history, event, after, needs) };
};

const loadRelated = async (
  { folds, publicUrl }: ResourceHistory,
  event: RecordedEvent,
  after: FoldedDocument,
  needs: WebhookContract['needs'],
): Promise<RelatedResources> => {
  const ids = relatedIds(event);
  // A body is the same whenever it is built, so a related resource is shown as of the event, without later changes.
  const related = async (need: 'order' | 'payment' | 'adoption', id: string | undefined): Promise<FoldedDocument | null> =>
    needs.includes(need) && id !== undefined ? folds.upTo(`${need}-${id}`, event.position) : null;
  // For an event of an order, the related order is the resource itself.
  const own = categoryOf(event.meta.stream) === ordersProjection.category ? after : null;
  const order = (await related('order', ids.orderId)) ?? own;
  const payment = await related('payment', ids.paymentId);
  const adoption = await related('adoption', ids.adoptionId);
  const url = publicUrl();
  const orderId = ids.orderId ?? aggregateIdOf(event.meta.stream);
  return {
    order: bodyOf(order, url),
    payment: bodyOf(payment, url),
    adoption: bodyOf(adoption, url),
    receipt: receiptIn(orderId, order, ids.paymentId, payment, url),
  };
};

/** The ids of the resources that an event names. Events of pets name the order as `holder`. */
type RelatedIds = { readonly orderId?: string; readonly paymentId?: string; readonly adoptionId?: string };

const relatedIds = ({ data }: RecordedEvent): RelatedIds => {
  const { holder, ...named } = data as RelatedIds & { readonly holder?: { readonly id: string } };
  return holder ? { orderId: holder.id, ...named } : named;
};

const receiptIn = (
  orderId: string,
  order: FoldedDocument | null,
  paymentId: string | undefined,
  payment: FoldedDocument | null,
  url: string,
): Exclude<RelatedResources['receipt'], undefined> => {
  if (!order?.document || !payment?.document || paymentId === undefined) return null;
  const read = (key: string, { body, fields }: NonNullable<FoldedDocument['document']>) => ({ key, json: JSON.stringify(body), fields });
  return receiptOf(read(orderId, order.document), read(paymentId, payment.document), url);
};

const bodyOf = (folded: FoldedDocument | null, publicUrl: string): ResourceBody | null =>
  folded?.document ? (JSON.parse(publicPhotos(JSON.stringify(folded.document.body), publicUrl)) as ResourceBody) : null;
