import type { Message } from '../../eventsourcing/message.js';

/** The event types that an endpoint can subscribe to, by their public names. */
export const SUBSCRIBABLE_EVENTS = [
  'order.statusChanged',
  'payment.succeeded',
  'payment.failed',
  'pet.adopted',
  'pet.statusChanged',
] as const;
export type SubscribableEvent = (typeof SUBSCRIBABLE_EVENTS)[number];

export const WEBHOOK_STATUSES = ['enabled', 'disabled'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/**
 * Why an endpoint is disabled. `gone`: its response was 410. `failing`: all attempts failed for 5 days (contract 20.6).
 * `requested`: its owner disabled it.
 */
export const DISABLED_REASONS = ['gone', 'failing', 'requested'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** How long a former secret still signs after a rotation (contract 18.3). */
export const SECRET_OVERLAP_MILLISECONDS = 24 * 3_600_000;

/**
 * The maximum number of secrets that sign a delivery. Only the newest secrets of an endpoint sign (contract 18.3). The
 * limit keeps the signature header short after repeated rotations.
 */
export const MAX_SIGNING_SECRETS = 4;

/** The terms of an endpoint: what its owner chooses. */
export type WebhookTerms = {
  readonly url: string;
  /** At least one, without duplicates, in the order of SUBSCRIBABLE_EVENTS. */
  readonly events: readonly SubscribableEvent[];
  /** Whether the events of one aggregate are delivered in order, one at a time. */
  readonly ordered: boolean;
};

/** The terms of a new endpoint, and the name of its secrets. Without a name, no other endpoint has the same secrets (contract 18.3). */
export type WebhookRegistration = WebhookTerms & { readonly secretName?: string };

/** Events contain no secrets. A secret is derived from the endpoint's id or the name of its secrets, its number and a key of the service. */
export type WebhookEvent =
  /** The endpoint's first secret has the number 1. */
  | Message<'WebhookRegistered', WebhookRegistration>
  | Message<'WebhookRevised', WebhookTerms>
  /** `secret` is the number of the new secret. A repeated request has the same `rotationId`. */
  | Message<'WebhookSecretRotated', { readonly secret: number; readonly rotationId: string }>
  | Message<'WebhookDisabled', { readonly reason: DisabledReason }>
  | Message<'WebhookEnabled', Readonly<Record<string, never>>>
  /** The endpoint can no longer be read. Its events are kept. */
  | Message<'WebhookRemoved', Readonly<Record<string, never>>>;
