import { unreachable, type Message, type EventMeta } from '../../eventsourcing/message.js';
import type { WebhookId } from '../ids.js';
import type { WebhookRegistration } from './webhook.events.js';
import { rejected, type Decider, type Rejection } from '../../eventsourcing/decider.js';
import { normalizeRegistration } from './webhook.decider.js';

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

export type WebhookSlotsCommand =
  /**
   * `registered` are the tenant's current endpoints. If the stream has no event yet, these endpoints get slots too, because
   * earlier versions registered endpoints without slots.
   */
  | Message<'ClaimWebhookSlot', { readonly webhookId: WebhookId; readonly registered: readonly WebhookId[] } & WebhookRegistration>
  | Message<'FreeWebhookSlot', { readonly webhookId: WebhookId }>;

/** The maximum number of endpoints per tenant (contract 18.4). Each subscribed endpoint adds a delivery per event. */
export const MAX_WEBHOOKS = 50;

/** The slot that an endpoint holds. */
export type WebhookSlot = {
  readonly webhookId: WebhookId;
  /** When the slot was claimed, or was given by `WebhookSlotsCounted`: ISO 8601. */
  readonly since: string;
  /** The revision of the event that claimed the slot. Null for a slot from `WebhookSlotsCounted`. */
  readonly claim: number | null;
};

/** The tenant is null before the first event. */
export type WebhookSlotsState = { readonly tenant: string | null; readonly slots: readonly WebhookSlot[] };

export type WebhookSlotsRejection = 'too_many_webhooks';

type Decision = readonly WebhookSlotsEvent[] | Rejection<WebhookSlotsRejection>;
type Claim = Extract<WebhookSlotsCommand, { type: 'ClaimWebhookSlot' }>['data'];

const decide = (command: WebhookSlotsCommand, state: WebhookSlotsState): Decision => {
  switch (command.type) {
    case 'ClaimWebhookSlot':
      return claim(command.data, state);
    case 'FreeWebhookSlot': {
      const { webhookId } = command.data;
      return hasSlot(state, webhookId) ? [{ type: 'WebhookSlotFreed', data: { webhookId } }] : [];
    }
    default:
      return unreachable(command);
  }
};

/** Claims a slot. All slots of a tenant are on one stream, so concurrent claims cannot exceed the limit. */
const claim = ({ webhookId, registered, ...registration }: Claim, state: WebhookSlotsState): Decision => {
  if (hasSlot(state, webhookId)) return [];
  const counted = state.tenant === null ? registered : [];
  if (state.slots.length + counted.length >= MAX_WEBHOOKS) return rejected('too_many_webhooks');
  const claimed: WebhookSlotsEvent = { type: 'WebhookSlotClaimed', data: { webhookId, ...normalizeRegistration(registration) } };
  return counted.length > 0 ? [{ type: 'WebhookSlotsCounted', data: { webhookIds: counted } }, claimed] : [claimed];
};

const hasSlot = ({ slots }: WebhookSlotsState, webhookId: WebhookId): boolean => slots.some((slot) => slot.webhookId === webhookId);

const evolve = ({ slots }: WebhookSlotsState, event: WebhookSlotsEvent, { tenant, time, revision }: EventMeta): WebhookSlotsState => {
  switch (event.type) {
    case 'WebhookSlotsCounted':
      return { tenant, slots: [...slots, ...event.data.webhookIds.map((webhookId) => ({ webhookId, since: time, claim: null }))] };
    case 'WebhookSlotClaimed':
      return { tenant, slots: [...slots, { webhookId: event.data.webhookId, since: time, claim: revision }] };
    case 'WebhookSlotFreed':
      return { tenant, slots: slots.filter(({ webhookId }) => webhookId !== event.data.webhookId) };
    default:
      return unreachable(event);
  }
};

/** Decides which endpoints a tenant can have. */
export const webhookSlotsDecider: Decider<WebhookSlotsState, WebhookSlotsCommand, WebhookSlotsEvent, WebhookSlotsRejection> = {
  initial: { tenant: null, slots: [] },
  decide,
  evolve,
};
