import type { Message } from '../../eventsourcing/message.js';
import type { WebhookId } from '../ids.js';
import type { DisabledReason, WebhookRegistration, WebhookStatus, WebhookTerms } from './webhook.events.js';

export type WebhookCommand =
  | Message<'RegisterWebhook', { readonly webhookId: WebhookId } & WebhookRegistration>
  /** Replaces all terms. Without `status`, the endpoint keeps its status. */
  | Message<'ReviseWebhook', { readonly webhookId: WebhookId; readonly status?: WebhookStatus } & WebhookTerms>
  /** Creates the next signing secret, once per `rotationId`. */
  | Message<'RotateWebhookSecret', { readonly webhookId: WebhookId; readonly rotationId: string }>
  /** Disables the endpoint because of failed deliveries to `url`. Changes nothing if the endpoint has another URL by now. */
  | Message<
      'DisableWebhook',
      { readonly webhookId: WebhookId; readonly reason: Exclude<DisabledReason, 'requested'>; readonly url: string }
    >
  | Message<'RemoveWebhook', { readonly webhookId: WebhookId }>;
