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
import { documentFromLog } from '../../runtime/projecting/document-from-log.js';

/** What it takes to see resources as they were. */
export type ResourceHistory = {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly codec: ReadCodec;
  /** Start of every absolute URL handed out. */
  readonly publicUrl: () => string;
};

/** Each is folded from streams of its own category, so what its events are may be forgotten here. */
const SHOWN = new Map<string, Projection>(
  [petsProjection, ordersProjection, paymentsProjection].map((shows) => [shows.category, shows as unknown as Projection] as const),
);

/**
 * What an event stands between: its resource exactly as reading it answered just before and just after the event,
 * however far the log has come since, and the resources that are needed beside it, as they were then. Personal values are
 * still sealed.
 */
export const loadEventContext = async (
  looking: ResourceHistory,
  event: RecordedEvent,
  needs: WebhookContract['needs'],
): Promise<EventContext> => {
  const { stream, revision } = event.meta;
  const projection = SHOWN.get(categoryOf(stream));
  if (!projection) throw new Error(`${stream} is shown to nobody`);
  const id = aggregateIdOf(stream);
  const before = revision === 0 ? null : await documentFromLog(looking, projection, id, revision - 1);
  const after = await documentFromLog(looking, projection, id, revision);
  return { before: shown(before), after: shown(after), related: await relatedTo(looking, event, after, needs) };
};

const relatedTo = async (
  looking: ResourceHistory,
  event: RecordedEvent,
  after: StoredDocument | null,
  needs: WebhookContract['needs'],
): Promise<RelatedResources> => {
  const { orderId, paymentId } = idsIn(event);
  const own = categoryOf(event.meta.stream) === ordersProjection.category ? after : null;
  const then = asOf(looking, event.position);
  const order = needs.includes('order') && orderId !== undefined ? await documentFromLog(then, ordersProjection, orderId) : own;
  const payment = needs.includes('payment') && paymentId !== undefined ? await documentFromLog(then, paymentsProjection, paymentId) : null;
  const receipt = order && payment && receiptOf(order, payment, looking.publicUrl());
  return { order: shown(order), payment: shown(payment), receipt };
};

/** The log as it was when an event was recorded: what is said does not depend on when it is said. */
const asOf = ({ store, codec }: ResourceHistory, position: number): Pick<ResourceHistory, 'store' | 'codec'> => ({
  codec,
  store: { readStream: async (...asked) => (await store.readStream(...asked)).filter((event) => event.position <= position) },
});

/** The resources that an event names: an order by its id or as whose holds a pet, a payment by its id. */
const idsIn = ({ data }: RecordedEvent): { readonly orderId?: string; readonly paymentId?: string } => {
  const named = data as { readonly orderId?: string; readonly paymentId?: string; readonly holder?: { readonly id: string } };
  const orderId = named.orderId ?? named.holder?.id;
  return { ...(orderId !== undefined && { orderId }), ...(named.paymentId !== undefined && { paymentId: named.paymentId }) };
};

const shown = (document: StoredDocument | null): ResourceBody | null => document && (JSON.parse(document.json) as ResourceBody);
