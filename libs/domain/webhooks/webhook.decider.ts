import { canonicalJson } from '../../eventsourcing/canonical-json.js';
import { rejected, type Decider, type Rejection } from '../../eventsourcing/decider.js';
import { unreachable, type EventMeta } from '../../eventsourcing/message.js';
import type { WebhookCommand } from './webhook.commands.js';
import { ANNOUNCED_EVENTS, type WebhookEvent, type WebhookStatus, type WebhookTerms } from './webhook.events.js';

type KnownWebhook = {
  readonly kind: 'registered';
  readonly tenant: string;
  readonly terms: WebhookTerms;
  readonly status: WebhookStatus;
  /** The number of the secret in force. */
  readonly secret: number;
  /** Every rotation there was, so that a repeat is known. */
  readonly rotations: readonly string[];
};

export type WebhookState =
  { readonly kind: 'unregistered'; readonly tenant: null } | KnownWebhook | { readonly kind: 'removed'; readonly tenant: string };

export type WebhookRejection =
  /** The stream has begun already. */
  | 'webhook_exists'
  /** Never registered, or removed. */
  | 'webhook_not_found';

type Decision = readonly WebhookEvent[] | Rejection<WebhookRejection>;
type Wish<T extends WebhookCommand['type']> = Extract<WebhookCommand, { type: T }>['data'];

const decide = (command: WebhookCommand, webhook: WebhookState): Decision => {
  switch (command.type) {
    case 'RegisterWebhook':
      return webhook.kind === 'unregistered' ? [{ type: 'WebhookRegistered', data: termsOf(command.data) }] : rejected('webhook_exists');
    case 'ReviseWebhook':
      return webhook.kind === 'registered' ? revise(command.data, webhook) : rejected('webhook_not_found');
    case 'RotateWebhookSecret':
      return webhook.kind === 'registered' ? rotate(command.data, webhook) : rejected('webhook_not_found');
    case 'DisableWebhook':
      return webhook.kind === 'registered' ? disable(command.data, webhook) : [];
    case 'RemoveWebhook':
      return webhook.kind === 'registered' ? [{ type: 'WebhookRemoved', data: {} }] : rejected('webhook_not_found');
    default:
      return unreachable(command);
  }
};

/** The events stand in one order, however they were asked for: the same wish makes the same bytes. */
export const termsOf = ({ url, events, ordered }: WebhookTerms): WebhookTerms => ({
  url,
  events: ANNOUNCED_EVENTS.filter((name) => events.includes(name)),
  ordered,
});

const revise = (wish: Wish<'ReviseWebhook'>, { terms, status }: KnownWebhook): Decision => {
  const wanted = termsOf(wish);
  const events: WebhookEvent[] = [];
  if (canonicalJson(wanted) !== canonicalJson(terms)) events.push({ type: 'WebhookRevised', data: wanted });
  if (wish.status === 'enabled' && status === 'disabled') events.push({ type: 'WebhookEnabled', data: {} });
  if (wish.status === 'disabled' && status === 'enabled') events.push({ type: 'WebhookDisabled', data: { reason: 'requested' } });
  return events;
};

const rotate = ({ rotationId }: Wish<'RotateWebhookSecret'>, { secret, rotations }: KnownWebhook): Decision =>
  rotations.includes(rotationId) ? [] : [{ type: 'WebhookSecretRotated', data: { secret: secret + 1, rotationId } }];

/** What an address answered says nothing of the one that has taken its place. */
const disable = ({ reason, url }: Wish<'DisableWebhook'>, { status, terms }: KnownWebhook): Decision =>
  status === 'enabled' && terms.url === url ? [{ type: 'WebhookDisabled', data: { reason } }] : [];

const evolve = (webhook: WebhookState, event: WebhookEvent, { tenant }: EventMeta): WebhookState => {
  if (event.type === 'WebhookRegistered')
    return { kind: 'registered', tenant, terms: event.data, status: 'enabled', secret: 1, rotations: [] };
  if (webhook.kind !== 'registered') return webhook;
  switch (event.type) {
    case 'WebhookRevised':
      return { ...webhook, terms: event.data };
    case 'WebhookSecretRotated':
      return { ...webhook, secret: event.data.secret, rotations: [...webhook.rotations, event.data.rotationId] };
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

/** What may happen to a webhook endpoint, from registering to removal. */
export const webhookDecider: Decider<WebhookState, WebhookCommand, WebhookEvent, WebhookRejection> = {
  initial: { kind: 'unregistered', tenant: null },
  decide,
  evolve,
};
