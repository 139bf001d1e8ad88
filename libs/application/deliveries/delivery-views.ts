import { ownerOf, type Attempt, type Delivery, type DeliveryStatus, type ParkedReason } from '../../deliveries/delivery.js';
import type { Redelivery } from '../../deliveries/redelivery/redelivery.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { openSealed } from '../../runtime/codec/sealing.js';
import type { View } from '../request.js';

/** A delivery as the owner of the endpoint sees it. */
export type DeliveryBody = {
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly status: DeliveryStatus;
  readonly parkedBecause?: ParkedReason;
  readonly createdAt: string;
  readonly nextAttemptAt: string | null;
  /** The request: the body, and the headers that are the same in all attempts. */
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: unknown };
  /** The attempts, the latest last. */
  readonly attempts: readonly Attempt[];
};

/** A redelivery of a time range, as the owner of the endpoint sees it. */
export type RedeliveryBody = Pick<Redelivery, 'id' | 'webhookId' | 'since' | 'until' | 'status' | 'deliveries' | 'createdAt'>;

/**
 * Returns the response body of a delivery. It omits the signature and its timestamp, because each attempt
 * creates new ones.
 */
const deliveryBody = async (keys: KeyVault, delivery: Delivery): Promise<DeliveryBody> => {
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

/**
 * Returns a delivery for a page of deliveries. It omits the receivers' responses, because they would make
 * pages arbitrarily long.
 */
export const listedDelivery = async (keys: KeyVault, delivery: Delivery): Promise<DeliveryBody> =>
  deliveryBody(keys, { ...delivery, attempts: delivery.attempts.map(({ answer: _, ...attempt }) => attempt) });

/** Returns the view of a delivery. `revision` becomes its entity tag. */
export const deliveryView = async (keys: KeyVault, delivery: Delivery, revision: number): Promise<View> => ({
  id: delivery.id,
  json: JSON.stringify(await deliveryBody(keys, delivery)),
  etag: String(revision),
  fields: { tenant: delivery.tenant },
});

/** Returns the view of a redelivery. */
export const redeliveryView = (
  { id, tenant, webhookId, since, until, status, deliveries, createdAt }: Redelivery,
  revision: number,
): View => ({
  id,
  json: JSON.stringify({ id, webhookId, since, until, status, deliveries, createdAt } satisfies RedeliveryBody),
  etag: String(revision),
  fields: { tenant },
});
