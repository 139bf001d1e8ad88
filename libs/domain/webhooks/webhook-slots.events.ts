import type { Message } from '../../eventsourcing/message.js';
import type { WebhookId } from '../ids.js';
import type { WebhookTerms } from './webhook.events.js';

/**
 * The events of a tenant's slots. A slot is claimed before an endpoint is registered, and freed after the
 * endpoint is removed.
 */
export type WebhookSlotsEvent =
  /**
   * The endpoints that the tenant had before slots were recorded. It can only be the first event of a stream.
   */
  | Message<'WebhookSlotsCounted', { readonly webhookIds: readonly WebhookId[] }>
  /**
   * Carries all that registration needs, so that another process can finish the registration after a crash.
   */
  | Message<'WebhookSlotClaimed', { readonly webhookId: WebhookId } & WebhookTerms>
  | Message<'WebhookSlotFreed', { readonly webhookId: WebhookId }>;
