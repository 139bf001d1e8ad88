import type { Message } from '../../eventsourcing/message.js';
import type { WebhookId } from '../ids.js';
import type { WebhookRegistration } from './webhook.events.js';

export type WebhookSlotsCommand =
  /**
   * `registered` are the tenant's current endpoints. If the stream has no event yet, these endpoints get slots too, because
   * earlier versions registered endpoints without slots.
   */
  | Message<'ClaimWebhookSlot', { readonly webhookId: WebhookId; readonly registered: readonly WebhookId[] } & WebhookRegistration>
  | Message<'FreeWebhookSlot', { readonly webhookId: WebhookId }>;
