import { ownerOf, type Attempt, type Delivery, type DeliveryStatus, type ParkedReason } from '../../deliveries/delivery.js';
import type { Redelivery } from '../../deliveries/redelivery/redelivery.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { openSealed } from '../../runtime/codec/sealing.js';
import type { View } from '../request.js';

/** A delivery as its endpoint's owner sees it: the JSON of the views and pages below. */
export type ShownDelivery = {
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly status: DeliveryStatus;
  readonly parkedBecause?: ParkedReason;
  readonly createdAt: string;
  readonly nextAttemptAt: string | null;
  /** What is posted: the body, and the headers that stay the same over all attempts. */
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: unknown };
  /** The latest last. */
  readonly attempts: readonly Attempt[];
};

/** A request to send what happened in a stretch of time once more, as its endpoint's owner sees it. */
export type ShownRedelivery = Pick<Redelivery, 'id' | 'webhookId' | 'since' | 'until' | 'status' | 'deliveries' | 'createdAt'>;

/** A delivery as its endpoint's owner sees it. What signs it, and when, is made anew in each attempt. */
const shownDelivery = async (keys: KeyVault, delivery: Delivery): Promise<ShownDelivery> => {
  const { id, eventId, eventType, status, parkedBecause, createdAt, nextAttemptAt, attempts, body } = delivery;
  return {
    id,
    webhookId: ownerOf(delivery),
    eventId,
    eventType,
    status,
    ...(parkedBecause && { parkedBecause }),
    createdAt,
    nextAttemptAt: status === 'pending' ? nextAttemptAt : null,
    request: {
      headers: { 'content-type': 'application/json', 'webhook-id': eventId },
      body: JSON.parse(await openSealed(keys, body)) as unknown,
    },
    attempts,
  };
};

/** The same in a page of deliveries: what receivers answered is left out, so that no page is as long as they like. */
export const listedDelivery = async (keys: KeyVault, delivery: Delivery): Promise<ShownDelivery> =>
  shownDelivery(keys, { ...delivery, attempts: delivery.attempts.map(({ answer: _, ...attempt }) => attempt) });

/** The same as it is answered; `revision` makes its entity tag. */
export const deliveryView = async (keys: KeyVault, delivery: Delivery, revision: number): Promise<View> => ({
  id: delivery.id,
  json: JSON.stringify(await shownDelivery(keys, delivery)),
  etag: String(revision),
  fields: { tenant: delivery.tenant },
});

/** How far a redelivery has come, as it is answered. */
export const redeliveryView = (
  { id, tenant, webhookId, since, until, status, deliveries, createdAt }: Redelivery,
  revision: number,
): View => ({
  id,
  json: JSON.stringify({ id, webhookId, since, until, status, deliveries, createdAt } satisfies ShownRedelivery),
  etag: String(revision),
  fields: { tenant },
});
