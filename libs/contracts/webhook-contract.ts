import type { DomainEvent } from '../domain/events.js';
import type { SubscribableEvent } from '../domain/webhooks/webhook.events.js';
import type { EventMeta, RecordedEvent } from '../eventsourcing/message.js';
import type { JsonSchema } from './message-schema.js';

/** The test that the owner of an endpoint may ask for. */
export const WEBHOOK_TEST = 'webhook.test';

/** Everything that is sent to webhook endpoints: what they asked for, and the test. */
export type WebhookEventType = SubscribableEvent | typeof WEBHOOK_TEST;

/** A resource exactly as reading it answers. */
export type Shown = Readonly<Record<string, unknown>>;

/** Resources beside the one that the event is about; a receipt comes with the payment. */
export type Related = { readonly order?: Shown | null; readonly payment?: Shown | null; readonly receipt?: Shown | null };

/** What the event stands between: its own resource just before and just after it, null where reading it answers nothing. */
export type Surroundings = { readonly before: Shown | null; readonly after: Shown | null; readonly related: Related };

/** What a webhook event says, and from which recorded events it is made. What is said may be added to, never changed. */
export type WebhookContract<Event extends DomainEvent = DomainEvent> = {
  readonly eventType: WebhookEventType;
  readonly summary: string;
  /** JSON Schema 2020-12 of the whole body. */
  readonly schema: JsonSchema;
  readonly from: readonly Event['type'][];
  /** Which resources that the recorded event names must be brought along. */
  readonly needs: readonly ('order' | 'payment')[];
  /** What is said of an event; null when there is nothing to say. */
  readonly data: (event: RecordedEvent<Event>, surroundings: Surroundings) => object | null;
};

/** "Body: {eventId (uuid), eventType, timestamp, data}." */
export type WebhookBody = {
  readonly eventId: string;
  readonly eventType: WebhookEventType;
  /** When it happened. */
  readonly timestamp: string;
  readonly data: object;
};

/** The JSON text that is signed and sent, its members in the documented order. */
export const webhookBody = ({ eventId, eventType, timestamp, data }: WebhookBody): string =>
  JSON.stringify({ eventId, eventType, timestamp, data });

/** Declares a webhook event; its recorded events are those it is made from. Give the type argument explicitly. */
export const webhookContract = <Event extends DomainEvent>(declared: WebhookContract<Event>): WebhookContract =>
  declared as unknown as WebhookContract;

/** "order.statusChanged {order, previousStatus, newStatus, changedAt, changedBy}": the same for whatever has a status. */
export const statusChange = (name: string, { time, actor }: EventMeta, { before, after }: Surroundings): object | null => {
  // "Placing an order is a status change too (previousStatus null)."
  const previousStatus = before?.['status'] ?? null;
  if (!after || after['status'] === previousStatus) return null;
  return { [name]: after, previousStatus, newStatus: after['status'], changedAt: time, changedBy: actor };
};
