import type { DomainEvent } from '../domain/events.js';
import type { SubscribableEvent } from '../domain/webhooks/webhook.events.js';
import type { EventMeta, RecordedEvent } from '../eventsourcing/message.js';
import type { JsonSchema } from './message-schema.js';

/** The event type of a test delivery, which the owner of an endpoint can request. */
export const WEBHOOK_TEST = 'webhook.test';

/** All event types that are sent to webhook endpoints: those that an endpoint can subscribe to, and the test. */
export type WebhookEventType = SubscribableEvent | typeof WEBHOOK_TEST;

/** The body of a resource, exactly as a GET returns it. */
export type ResourceBody = Readonly<Record<string, unknown>>;

/** Resources related to the event's own resource. Each is null or absent if it was not found, or if no body needs it. */
export type RelatedResources = {
  readonly order?: ResourceBody | null;
  /** An application. Its personal values are sealed, and are decrypted when the body is sent. */
  readonly adoption?: ResourceBody | null;
  readonly payment?: ResourceBody | null;
  /** The receipt of the payment. */
  readonly receipt?: ResourceBody | null;
};

/**
 * The resource that the event belongs to, just before and just after the event, and related resources. `before` and `after`
 * are null if a GET would not have found the resource at that moment.
 */
export type EventContext = {
  readonly before: ResourceBody | null;
  readonly after: ResourceBody | null;
  readonly related: RelatedResources;
};

/**
 * The body of a webhook event type, and the domain events that cause it. Properties can be added to the body, but never changed
 * or removed.
 */
export type WebhookContract<Event extends DomainEvent = DomainEvent> = {
  readonly eventType: WebhookEventType;
  readonly summary: string;
  /** JSON Schema 2020-12 of the whole body. */
  readonly schema: JsonSchema;
  /** The types of the domain events that cause this webhook event. */
  readonly from: readonly Event['type'][];
  /** The related resources that the body needs. */
  readonly needs: readonly ('order' | 'payment' | 'adoption')[];
  /** Builds the data of the body. Returns null if no webhook is to be sent. */
  readonly data: (event: RecordedEvent<Event>, context: EventContext) => object | null;
};

/** The body of a webhook (contract 19.1). */
export type WebhookBody = {
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  /** When the event was recorded. */
  readonly timestamp: string;
  readonly data: object;
};

/** Returns the JSON text to sign and send, with its members in the documented order. */
export const webhookBody = ({ eventId, eventType, timestamp, data }: WebhookBody): string =>
  JSON.stringify({ eventId, eventType, timestamp, data });

/** Declares a webhook event type. The type argument, which must be explicit, is the type of the domain events that cause it. */
export const webhookContract = <Event extends DomainEvent>(declared: WebhookContract<Event>): WebhookContract =>
  declared as unknown as WebhookContract;

/**
 * Builds the data of a status change, in the same shape for every resource (contract 19.3). Returns null if the status did
 * not change, or if the resource does not exist after the event.
 */
export const statusChange = (name: string, { time, actor }: EventMeta, { before, after }: EventContext): object | null => {
  // The first status of a resource is a change with the previous status null (contract 19.3).
  const previousStatus = before?.['status'] ?? null;
  if (!after || after['status'] === previousStatus) return null;
  return { [name]: after, previousStatus, newStatus: after['status'], changedAt: time, changedBy: actor };
};
