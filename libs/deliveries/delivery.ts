import type { OrderCommand } from '../domain/orders/order.decider.js';
import type { WebhookCommand } from '../domain/webhooks/webhook.decider.js';
import type { Personal } from '../eventsourcing/sealed.js';
import type { Collection, StoredDocument } from '../eventsourcing/ports/documents.port.js';
import type { EgressFault } from '../ports/egress.port.js';

/** The commands that a delivery can cause. */
export type DeliveryCommand = Extract<OrderCommand, { type: 'EndOrderCallback' }> | Extract<WebhookCommand, { type: 'DisableWebhook' }>;

/**
 * `pending`: an attempt is due now or later. `waiting`: an earlier delivery of its sequence comes first.
 * `delivered`: the receiver returned 2xx. `parked`: no attempt follows unless a redelivery is requested.
 */
export const DELIVERY_STATUSES = ['pending', 'waiting', 'delivered', 'parked'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * Why a delivery is parked. `exhausted`: all attempts failed. `gone`: the receiver returned 410. `disabled`,
 * `removed`: its endpoint is disabled or removed.
 */
export const PARKED_REASONS = ['exhausted', 'gone', 'disabled', 'removed'] as const;
export type ParkedReason = (typeof PARKED_REASONS)[number];

/** One attempt of a delivery with its result: the status of the response or, if there was no response, the fault. */
export type Attempt = {
  /** ISO 8601. */
  readonly at: string;
  readonly url: string;
  readonly durationMilliseconds: number;
  readonly status?: number;
  readonly fault?: EgressFault;
  /** The beginning of the response body, encrypted if the request had personal values. */
  readonly answer?: Personal;
};

/**
 * The target of a delivery: a webhook endpoint, whose URL can change, or the fixed address of an order
 * callback.
 */
export type DeliveryTarget =
  | { readonly kind: 'webhook'; readonly webhookId: string }
  | { readonly kind: 'callback'; readonly orderId: string; readonly requestId: string; readonly url: string };

/** A message to an outside receiver: its content, its target and its attempts so far. */
export type Delivery = {
  readonly id: string;
  readonly tenant: string;
  readonly target: DeliveryTarget;
  /** The webhook-id header; the same in every attempt. */
  readonly eventId: string;
  readonly eventType: string;
  /** The stream and revision of the recorded event. */
  readonly stream: string;
  readonly revision: number;
  /**
   * Deliveries with the same sequence are sent one at a time, in the order of their events. Null: the
   * delivery waits for no other.
   */
  readonly sequence: string | null;
  readonly createdAt: string;
  readonly status: DeliveryStatus;
  readonly parkedBecause?: ParkedReason;
  /** Incremented by each redelivery. Every round starts the retry schedule from the beginning. */
  readonly round: number;
  /** The id of the redelivery request that started the round. */
  readonly redeliveryId?: string;
  /** The number of failed attempts in this round. */
  readonly failures: number;
  /** The latest attempts of all rounds, in order of time, at most 25 (contract 20.13). */
  readonly attempts: readonly Attempt[];
  /** The earliest time of the next attempt; null when no attempt follows. */
  readonly nextAttemptAt: string | null;
  /** JSON text, built once. Its personal values are encrypted. */
  readonly body: string;
  /** The span that made the delivery, if its trace is recorded. */
  readonly traceparent?: string;
  /** When the delivery was deleted, in ISO 8601. A deleted delivery is never shown, and has no body and no attempts. */
  readonly deletedAt?: string;
};

/** Builds a delivery without attempts: pending, or waiting when it belongs to a sequence. */
export const newDelivery = (
  now: Date,
  content: Pick<
    Delivery,
    'id' | 'tenant' | 'target' | 'eventId' | 'eventType' | 'stream' | 'revision' | 'sequence' | 'body' | 'traceparent'
  >,
): Delivery => ({
  ...content,
  createdAt: now.toISOString(),
  status: content.sequence === null ? 'pending' : 'waiting',
  round: 0,
  failures: 0,
  attempts: [],
  nextAttemptAt: now.toISOString(),
});

/** A delivery with its stored revision. A write is rejected if the stored revision has changed since. */
export type StoredDelivery = { readonly delivery: Delivery; readonly revision: number };

/** The maximum number of stored attempts of a delivery: enough for two rounds of the default retry schedule. */
const MAX_STORED_ATTEMPTS = 25;

/** All deliveries. They cannot be rebuilt from the log, which does not contain the receivers' responses. */
export const DELIVERIES: Collection = {
  name: 'deliveries',
  version: 1,
  fields: {
    tenant: 'text',
    /** The endpoint's id, or the order's. */
    owner: 'text',
    /** `deleted` once the delivery is deleted. Its owner and its sequence are then null, so no list finds it. */
    status: 'text',
    createdAt: 'text',
    sequence: 'text',
    /** The revision of the event. The deliveries of a sequence are sorted by it. */
    place: 'integer',
  },
  // The first two indexes list an endpoint's deliveries, newest first. The third index finds the next delivery of a sequence.
  // The last index finds the deliveries to delete.
  indexes: [
    ['owner', '-createdAt'],
    ['owner', 'status', '-createdAt'],
    ['sequence', 'status', 'place'],
    ['status', 'createdAt'],
  ],
  cells: [],
};

/** Returns the id of a delivery's target: the endpoint or the order. */
export const targetIdOf = ({ target }: Pick<Delivery, 'target'>): string => (target.kind === 'webhook' ? target.webhookId : target.orderId);

/** Returns when a delivered delivery was acknowledged, in ISO 8601. Without a stored attempt, returns when it was created. */
export const deliveredAt = ({ attempts, createdAt }: Pick<Delivery, 'attempts' | 'createdAt'>): string => {
  const last = attempts.at(-1);
  return last ? new Date(endOfAttempt(last)).toISOString() : createdAt;
};

/** Returns when an attempt ended, in milliseconds since 1970. */
export const endOfAttempt = ({ at, durationMilliseconds }: Attempt): number => Date.parse(at) + durationMilliseconds;

/**
 * Returns a delivered delivery as deleted: without its body, its attempts and the URL of a callback. The rest stays stored. A
 * consumer may read the event again, for example in a copied store, and must not send the delivery again.
 */
export const deleted = (delivery: Delivery, now: Date): Delivery => ({
  ...delivery,
  target: delivery.target.kind === 'callback' ? { ...delivery.target, url: '' } : delivery.target,
  attempts: [],
  body: '{}',
  deletedAt: now.toISOString(),
});

/** Builds the document of a delivery. */
export const deliveryDocument = (delivery: Delivery, revision: number): StoredDocument => ({
  key: delivery.id,
  json: JSON.stringify({ ...delivery, attempts: delivery.attempts.slice(-MAX_STORED_ATTEMPTS) }),
  fields: {
    tenant: delivery.tenant,
    owner: targetIdOf(delivery),
    status: delivery.status,
    createdAt: delivery.createdAt,
    sequence: delivery.sequence,
    place: delivery.revision,
    ...(delivery.deletedAt !== undefined && { owner: null, status: 'deleted', sequence: null }),
  },
  revision,
});

/** Reads a delivery from its document. */
export const deliveryFromDocument = ({ json, revision }: StoredDocument): StoredDelivery => ({
  delivery: JSON.parse(json) as Delivery,
  revision,
});
