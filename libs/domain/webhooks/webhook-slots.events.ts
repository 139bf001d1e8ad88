import type { Message } from '../../eventsourcing/message.js';
import type { WebhookId } from '../ids.js';
import type { WebhookRegistration } from './webhook.events.js';

/**
 * The events of a tenant's slots. A slot is the right to have one endpoint, and each tenant has a limited number
 * of them (contract 18.4). A slot is claimed before its endpoint is registered, and freed after the endpoint is removed.
 */
export type WebhookSlotsEvent =
  /**
   * Gives a slot to each endpoint that an earlier version of the service registered without a slot. Only the first event
   * of a stream can be of this type.
   */
  | Message<'WebhookSlotsCounted', { readonly webhookIds: readonly WebhookId[] }>
  /** Contains the registration of the endpoint, so that another process can finish the registration after a crash. */
  | Message<'WebhookSlotClaimed', { readonly webhookId: WebhookId } & WebhookRegistration>
  | Message<'WebhookSlotFreed', { readonly webhookId: WebhookId }>;
