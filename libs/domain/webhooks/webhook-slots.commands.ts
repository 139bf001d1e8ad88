import type { Message } from '../../eventsourcing/message.js';
import type { WebhookId } from '../ids.js';
import type { WebhookTerms } from './webhook.events.js';

export type WebhookSlotsCommand =
  /** `registered` are the endpoints that the tenant has; they count where no slot was ever recorded. */
  | Message<'ClaimWebhookSlot', { readonly webhookId: WebhookId; readonly registered: readonly WebhookId[] } & WebhookTerms>
  | Message<'FreeWebhookSlot', { readonly webhookId: WebhookId }>;
