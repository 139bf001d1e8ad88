import type { Message } from '../../eventsourcing/message.js';

/** What an endpoint may ask to hear of, by the names that the outside knows. */
export const ANNOUNCED_EVENTS = ['order.statusChanged', 'payment.succeeded', 'payment.failed', 'pet.adopted', 'pet.statusChanged'] as const;
export type AnnouncedEvent = (typeof ANNOUNCED_EVENTS)[number];

export const WEBHOOK_STATUSES = ['enabled', 'disabled'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** `gone`: it answered 410. `failing`: 5 days of nothing but failures. `requested`: its owner switched it off. */
export const DISABLED_REASONS = ['gone', 'failing', 'requested'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** "Rotation; the old one signs too for 24 h." */
export const SECRET_OVERLAP_MILLISECONDS = 24 * 3_600_000;

/** At most so many secrets of an endpoint sign at a time: the newest ones. Else a header grows with each rotation of a day. */
export const MAX_SIGNING_SECRETS = 4;

/** What the owner of an endpoint says of it. */
export type WebhookTerms = {
  readonly url: string;
  /** At least one, each once, in the order of ANNOUNCED_EVENTS. */
  readonly events: readonly AnnouncedEvent[];
  /** Whether what happens to one aggregate is told in its order, one delivery at a time. */
  readonly ordered: boolean;
};

/** No event holds a secret: a secret is known by its number, and follows from the service's key. */
export type WebhookEvent =
  /** Its secret is number 1. */
  | Message<'WebhookRegistered', WebhookTerms>
  | Message<'WebhookRevised', WebhookTerms>
  /** `secret` is the number of the one in force from now on; `rotationId` tells a repeat of the same wish from another. */
  | Message<'WebhookSecretRotated', { readonly secret: number; readonly rotationId: string }>
  | Message<'WebhookDisabled', { readonly reason: DisabledReason }>
  | Message<'WebhookEnabled', Readonly<Record<string, never>>>
  /** Gone from reads; the history stays. */
  | Message<'WebhookRemoved', Readonly<Record<string, never>>>;
