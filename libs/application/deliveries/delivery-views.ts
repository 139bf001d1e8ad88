import { targetIdOf, type Attempt, type Delivery, type DeliveryStatus, type ParkedReason } from '../../deliveries/delivery.js';
import type { Redelivery } from '../../deliveries/redelivery/redelivery.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { openDocument } from '../../runtime/codec/sealing.js';
import type { View } from '../request.js';
import { etagAfterErasure } from '../views.js';

/** The representation of a delivery in the API. */
export type DeliveryResource = {
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
  /** The attempts, oldest first. */
  readonly attempts: readonly OpenedAttempt[];
};

/** An attempt with the decrypted beginning of the response body. */
export type OpenedAttempt = Omit<Attempt, 'answer'> & { readonly answer?: string };

/** A part of a delivery with its sealed values decrypted. `isErased` says whether one of these values was erased. */
type Opened<T> = { readonly value: T; readonly isErased: boolean };

const open = async (keys: KeyVault, stored: string): Promise<Opened<unknown>> => {
  const { json, isErased } = await openDocument(keys, stored);
  return { value: JSON.parse(json) as unknown, isErased };
};

/** Decrypts the response body of an attempt. Omits the body if the request contained data of an erased person. */
const openAttempt = async (keys: KeyVault, { answer: stored, ...attempt }: Attempt): Promise<Opened<OpenedAttempt>> => {
  if (stored === undefined) return { value: attempt, isErased: false };
  const { value, isErased } = await open(keys, JSON.stringify(stored));
  return { value: isErased ? attempt : { ...attempt, answer: value as string }, isErased };
};

/** The representation of a redelivery in the API. */
export type RedeliveryResource = Pick<Redelivery, 'id' | 'webhookId' | 'since' | 'until' | 'status' | 'deliveries' | 'createdAt'>;

/**
 * Returns the representation of a delivery in the API. It omits the signature and its timestamp, because each attempt
 * creates new ones.
 */
const openDelivery = async (keys: KeyVault, delivery: Delivery): Promise<Opened<DeliveryResource>> => {
  const { id, eventId, eventType, status, parkedBecause, createdAt, nextAttemptAt } = delivery;
  const body = await open(keys, delivery.body);
  const attempts = await Promise.all(delivery.attempts.map((attempt) => openAttempt(keys, attempt)));
  const value = {
    id,
    webhookId: targetIdOf(delivery),
    eventId,
    eventType,
    status,
    ...(parkedBecause && { parkedBecause }),
    createdAt,
    nextAttemptAt: status === 'pending' ? nextAttemptAt : null,
    request: {
      headers: { 'content-type': 'application/json', 'webhook-id': eventId },
      body: body.value,
    },
    attempts: attempts.map((attempt) => attempt.value),
  };
  return { value, isErased: body.isErased || attempts.some((attempt) => attempt.isErased) };
};

/**
 * Returns the representation of a delivery on a page. Its attempts omit the response bodies, which would make pages
 * arbitrarily long.
 */
export const createListedDelivery = async (keys: KeyVault, delivery: Delivery): Promise<DeliveryResource> =>
  (await openDelivery(keys, { ...delivery, attempts: delivery.attempts.map(({ answer: _, ...attempt }) => attempt) })).value;

/** Returns the view of a delivery. `revision` becomes its entity tag. */
export const deliveryView = async (keys: KeyVault, delivery: Delivery, revision: number): Promise<View> => {
  const { value, isErased } = await openDelivery(keys, delivery);
  const etag = etagAfterErasure(String(revision), isErased);
  return { id: delivery.id, json: JSON.stringify(value), etag, fields: { tenant: delivery.tenant } };
};

/** Returns the view of a redelivery. */
export const redeliveryView = (
  { id, tenant, webhookId, since, until, status, deliveries, createdAt }: Redelivery,
  revision: number,
): View => ({
  id,
  json: JSON.stringify({ id, webhookId, since, until, status, deliveries, createdAt } satisfies RedeliveryResource),
  etag: String(revision),
  fields: { tenant },
});
