import type { Message } from '../../eventsourcing/message.js';
import type { WebhookId } from '../ids.js';
import type { WebhookTerms } from './webhook.events.js';

/** A tenant's slots: each endpoint has one, from before it is registered until it is removed. */
export type WebhookSlotsEvent =
  /** The endpoints that the tenant had before slots were recorded; first in the stream, if at all. */
  | Message<'WebhookSlotsCounted', { readonly webhookIds: readonly WebhookId[] }>
  /** Says all that registering the endpoint needs, so that it can be finished when its process died. */
  | Message<'WebhookSlotClaimed', { readonly webhookId: WebhookId } & WebhookTerms>
  | Message<'WebhookSlotFreed', { readonly webhookId: WebhookId }>;
