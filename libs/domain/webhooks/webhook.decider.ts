import { canonicalJson } from '../../eventsourcing/canonical-json.js';
import { rejected, type Decider, type Rejection } from '../../eventsourcing/decider.js';
import { unreachable, type EventMeta, type Message } from '../../eventsourcing/message.js';
import {
  SUBSCRIBABLE_EVENTS,
  type WebhookEvent,
  type WebhookRegistration,
  type WebhookStatus,
  type WebhookTerms,
  type DisabledReason,
} from './webhook.events.js';
import type { WebhookId } from '../ids.js';

export type WebhookCommand =
  | Message<'CreateWebhook', { readonly webhookId: WebhookId } & WebhookRegistration>
  /** Replaces all terms. Without `status`, the endpoint keeps its status. */
  | Message<'UpdateWebhook', { readonly webhookId: WebhookId; readonly status?: WebhookStatus } & WebhookTerms>
  /** Creates the next signing secret, once per `rotationId`. */
  | Message<'RotateWebhookSecret', { readonly webhookId: WebhookId; readonly rotationId: string }>
  /** Disables the endpoint because of failed deliveries to `url`. Changes nothing if the endpoint has another URL by now. */
  | Message<
      'DisableWebhook',
      { readonly webhookId: WebhookId; readonly reason: Exclude<DisabledReason, 'requested'>; readonly url: string }
    >
  | Message<'DeleteWebhook', { readonly webhookId: WebhookId }>;

type RegisteredWebhook = {
  readonly kind: 'registered';
  readonly tenant: string;
  readonly terms: WebhookTerms;
  readonly status: WebhookStatus;
  /** The number of the current secret. */
  readonly secretNumber: number;
  /** The ids of all rotations, to recognise repeated requests. */
  readonly rotations: readonly string[];
};

export type WebhookState =
  { readonly kind: 'unregistered'; readonly tenant: null } | RegisteredWebhook | { readonly kind: 'removed'; readonly tenant: string };

export type WebhookRejection =
  /** The stream already exists. */
  | 'webhook_exists'
  /** Never registered, or removed. */
  | 'webhook_not_found';

type Decision = readonly WebhookEvent[] | Rejection<WebhookRejection>;
type CommandData<T extends WebhookCommand['type']> = Extract<WebhookCommand, { type: T }>['data'];

const decide = (command: WebhookCommand, webhook: WebhookState): Decision => {
  switch (command.type) {
    case 'CreateWebhook':
      return webhook.kind === 'unregistered'
        ? [{ type: 'WebhookRegistered', data: normalizeRegistration(command.data) }]
        : rejected('webhook_exists');
    case 'UpdateWebhook':
      return webhook.kind === 'registered' ? update(command.data, webhook) : rejected('webhook_not_found');
    case 'RotateWebhookSecret':
      return webhook.kind === 'registered' ? rotate(command.data, webhook) : rejected('webhook_not_found');
    case 'DisableWebhook':
      return webhook.kind === 'registered' ? disable(command.data, webhook) : [];
    case 'DeleteWebhook':
      return webhook.kind === 'registered' ? [{ type: 'WebhookRemoved', data: {} }] : rejected('webhook_not_found');
    default:
      return unreachable(command);
  }
};

/** Returns a registration with normalized terms. */
export const normalizeRegistration = ({ secretName, ...terms }: WebhookRegistration): WebhookRegistration => ({
  ...normalizeTerms(terms),
  ...(secretName !== undefined && { secretName }),
});

/** Returns the terms with sorted event types, so that equal terms have equal JSON. */
const normalizeTerms = ({ url, events, ordered }: WebhookTerms): WebhookTerms => ({
  url,
  events: SUBSCRIBABLE_EVENTS.filter((name) => events.includes(name)),
  ordered,
});

const update = (data: CommandData<'UpdateWebhook'>, { terms, status }: RegisteredWebhook): Decision => {
  const revised = normalizeTerms(data);
  const events: WebhookEvent[] = [];
  if (canonicalJson(revised) !== canonicalJson(terms)) events.push({ type: 'WebhookRevised', data: revised });
  if (data.status === 'enabled' && status === 'disabled') events.push({ type: 'WebhookEnabled', data: {} });
  if (data.status === 'disabled' && status === 'enabled') events.push({ type: 'WebhookDisabled', data: { reason: 'requested' } });
  return events;
};

const rotate = ({ rotationId }: CommandData<'RotateWebhookSecret'>, { secretNumber, rotations }: RegisteredWebhook): Decision =>
  rotations.includes(rotationId) ? [] : [{ type: 'WebhookSecretRotated', data: { secret: secretNumber + 1, rotationId } }];

const disable = ({ reason, url }: CommandData<'DisableWebhook'>, { status, terms }: RegisteredWebhook): Decision =>
  status === 'enabled' && terms.url === url ? [{ type: 'WebhookDisabled', data: { reason } }] : [];

const evolve = (webhook: WebhookState, event: WebhookEvent, { tenant }: EventMeta): WebhookState => {
  if (event.type === 'WebhookRegistered')
    return { kind: 'registered', tenant, terms: normalizeTerms(event.data), status: 'enabled', secretNumber: 1, rotations: [] };
  if (webhook.kind !== 'registered') return webhook;
  switch (event.type) {
    case 'WebhookRevised':
      return { ...webhook, terms: event.data };
    case 'WebhookSecretRotated':
      return { ...webhook, secretNumber: event.data.secret, rotations: [...webhook.rotations, event.data.rotationId] };
    case 'WebhookDisabled':
      return { ...webhook, status: 'disabled' };
    case 'WebhookEnabled':
      return { ...webhook, status: 'enabled' };
    case 'WebhookRemoved':
      return { kind: 'removed', tenant: webhook.tenant };
    default:
      return unreachable(event);
  }
};

/** Decides what can happen to a webhook endpoint, from registration to removal. */
export const webhookDecider: Decider<WebhookState, WebhookCommand, WebhookEvent, WebhookRejection> = {
  initial: { kind: 'unregistered', tenant: null },
  decide,
  evolve,
};
