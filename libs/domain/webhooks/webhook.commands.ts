import type { Message } from '../../eventsourcing/message.js';
import type { WebhookId } from '../ids.js';
import type { DisabledReason, WebhookStatus, WebhookTerms } from './webhook.events.js';

export type WebhookCommand =
  | Message<'RegisterWebhook', { readonly webhookId: WebhookId } & WebhookTerms>
  /** Says everything anew; a status that is left out stays as it is. */
  | Message<'ReviseWebhook', { readonly webhookId: WebhookId; readonly status?: WebhookStatus } & WebhookTerms>
  /** Asks for another secret, once for each `rotationId`. */
  | Message<'RotateWebhookSecret', { readonly webhookId: WebhookId; readonly rotationId: string }>
  /** What its receiver made of it: it ends only if it still has the address that answered so. */
  | Message<
      'DisableWebhook',
      { readonly webhookId: WebhookId; readonly reason: Exclude<DisabledReason, 'requested'>; readonly url: string }
    >
  | Message<'RemoveWebhook', { readonly webhookId: WebhookId }>;
