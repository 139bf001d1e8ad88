import type { OrderCommand } from '../domain/orders/order.commands.js';
import type { WebhookCommand } from '../domain/webhooks/webhook.commands.js';
import type { Collection, StoredDocument } from '../eventsourcing/ports/documents.port.js';
import type { EgressFault } from '../ports/egress.port.js';

/** What a delivery asks the store for, once it is over. */
export type DeliveryCommand = Extract<OrderCommand, { type: 'EndOrderCallback' }> | Extract<WebhookCommand, { type: 'DisableWebhook' }>;

/**
 * `pending`: it is tried, now or later. `waiting`: an earlier one of its aggregate comes first. `delivered`: a 2xx came
 * back. `parked`: it is not tried any more unless somebody asks for it.
 */
export const DELIVERY_STATUSES = ['pending', 'waiting', 'delivered', 'parked'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Why a delivery is not tried any more: all attempts failed, its receiver said that it is gone (410), or its endpoint is switched off, or is no more. */
export const PARKED_REASONS = ['exhausted', 'gone', 'disabled', 'removed'] as const;
export type ParkedReason = (typeof PARKED_REASONS)[number];

/** One time that a delivery was tried, and what came of it: an answer's status, or the fault for which there is none. */
export type Attempt = {
  /** ISO 8601. */
  readonly at: string;
  readonly url: string;
  readonly durationMilliseconds: number;
  readonly status?: number;
  readonly fault?: EgressFault;
  /** How the answer began. */
  readonly answer?: string;
};

/** Where a delivery goes: to a webhook endpoint, wherever that is when it is tried, or to the address that an order's callback named. */
export type DeliveryTarget =
  | { readonly kind: 'webhook'; readonly webhookId: string }
  | { readonly kind: 'callback'; readonly orderId: string; readonly requestId: string; readonly url: string };

/** A message on its way to somebody outside: what is sent, where to, and what came of it so far. */
export type Delivery = {
  readonly id: string;
  readonly tenant: string;
  readonly target: DeliveryTarget;
  /** The same in every attempt: the header webhook-id. */
  readonly eventId: string;
  readonly eventType: string;
  /** The recorded event that it tells of. */
  readonly stream: string;
  readonly revision: number;
  /** Names those that go out one at a time, in the order of what happened; null where the order does not matter. */
  readonly sequence: string | null;
  readonly createdAt: string;
  readonly status: DeliveryStatus;
  readonly parkedBecause?: ParkedReason;
  /** Raised whenever it is asked for again: each round has the whole schedule before it. */
  readonly round: number;
  /** Which request for redelivery began the round. */
  readonly redeliveryId?: string;
  /** How many attempts of this round have failed. */
  readonly failures: number;
  /** The latest ones of all rounds, the latest last. */
  readonly attempts: readonly Attempt[];
  /** When it is tried next, at the earliest; null while it is not. */
  readonly nextAttemptAt: string | null;
  /** JSON text, made once. Personal values in it rest sealed. */
  readonly body: string;
};

/** A delivery that nobody has tried yet: it goes out now, or when its turn comes. */
export const newDelivery = (
  now: Date,
  made: Pick<Delivery, 'id' | 'tenant' | 'target' | 'eventId' | 'eventType' | 'stream' | 'revision' | 'sequence' | 'body'>,
): Delivery => ({
  ...made,
  createdAt: now.toISOString(),
  status: made.sequence === null ? 'pending' : 'waiting',
  round: 0,
  failures: 0,
  attempts: [],
  nextAttemptAt: now.toISOString(),
});

/** A delivery as it was read: with the revision that a change of it builds on. */
export type StoredDelivery = { readonly delivery: Delivery; readonly revision: number };

/** More than two whole rounds. */
const ATTEMPTS_KEPT = 25;

/** Every delivery that there was or will be. Not made from the log: what receivers answered stands nowhere else. */
export const DELIVERIES: Collection = {
  name: 'deliveries',
  version: 1,
  fields: {
    tenant: 'text',
    /** The endpoint's id, or the order's. */
    owner: 'text',
    status: 'text',
    createdAt: 'text',
    sequence: 'text',
    place: 'integer',
  },
  // One for each way to ask for an endpoint's deliveries, newest first; the last finds what comes next in a sequence.
  indexes: [
    ['owner', '-createdAt'],
    ['owner', 'status', '-createdAt'],
    ['sequence', 'status', 'place'],
  ],
  cells: [],
};

/** Whose it is: the endpoint's id, or the order's. */
export const ownerOf = ({ target }: Pick<Delivery, 'target'>): string => (target.kind === 'webhook' ? target.webhookId : target.orderId);

/** A delivery as it is stored, in its revision. */
export const deliveryDocument = (delivery: Delivery, revision: number): StoredDocument => ({
  key: delivery.id,
  json: JSON.stringify({ ...delivery, attempts: delivery.attempts.slice(-ATTEMPTS_KEPT) }),
  fields: {
    tenant: delivery.tenant,
    owner: ownerOf(delivery),
    status: delivery.status,
    createdAt: delivery.createdAt,
    sequence: delivery.sequence,
    place: delivery.revision,
  },
  revision,
});

/** A stored delivery. */
export const deliveryFromDocument = ({ json, revision }: StoredDocument): StoredDelivery => ({
  delivery: JSON.parse(json) as Delivery,
  revision,
});
