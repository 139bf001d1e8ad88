import {
  MAX_SIGNING_SECRETS,
  SECRET_OVERLAP_MILLISECONDS,
  type DisabledReason,
  type WebhookEvent,
  type WebhookStatus,
  type WebhookTerms,
} from '../domain/webhooks/webhook.events.js';
import { aggregateIdOf, type EventMeta } from '../eventsourcing/message.js';
import { projection, type Document } from '../eventsourcing/projection.js';

/** A webhook endpoint as it goes out. Its secret is shown when it is made, and never again. */
export type Webhook = WebhookTerms & {
  readonly id: string;
  readonly status: WebhookStatus;
  /** Absent while enabled. */
  readonly disabledReason: DisabledReason | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** What endpoints are found and counted by, and what signing for them needs. */
export type WebhookFields = {
  readonly tenant: string;
  readonly status: WebhookStatus;
  readonly createdAt: string;
  /** The number of the secret in force. */
  readonly secret: number;
  /**
   * Since when; null for the first one. It is followed, latest first and after a space each, by the rotations before whose
   * former secret still signed then, up to MAX_SIGNING_SECRETS - 1 rotations in all.
   */
  readonly rotatedAt: string | null;
  /** Since when it is enabled, without a break: failures before that do not count. */
  readonly enabledAt: string;
};

type WebhookDocument = Document<Webhook, WebhookFields>;
type Standing = Pick<Webhook, 'status' | 'disabledReason' | 'createdAt' | 'updatedAt'>;

/** The members stand in the documented order: the same events make the same bytes. */
const bodyOf = (id: string, { url, events, ordered }: WebhookTerms, standing: Standing): Webhook => ({
  id,
  url,
  events,
  ordered,
  status: standing.status,
  disabledReason: standing.disabledReason,
  createdAt: standing.createdAt,
  updatedAt: standing.updatedAt,
});

const registered = (terms: WebhookTerms, { stream, tenant, time }: EventMeta): WebhookDocument => ({
  body: bodyOf(aggregateIdOf(stream), terms, { status: 'enabled', disabledReason: undefined, createdAt: time, updatedAt: time }),
  fields: { tenant, status: 'enabled', createdAt: time, secret: 1, rotatedAt: null, enabledAt: time },
});

const changed = (
  current: WebhookDocument | null,
  change: Partial<WebhookTerms & Standing>,
  { time }: EventMeta,
  fields: Partial<WebhookFields> = {},
): WebhookDocument | null => {
  if (!current) return null;
  const body = { ...current.body, ...change, updatedAt: time };
  return { body: bodyOf(body.id, body, body), fields: { ...current.fields, status: body.status, ...fields } };
};

const rotationsAt = (current: WebhookDocument | null, { time }: EventMeta): string => {
  const former = current?.fields.rotatedAt?.split(' ') ?? [];
  const running = former.filter((before) => Date.parse(time) < Date.parse(before) + SECRET_OVERLAP_MILLISECONDS);
  // The first secret of an endpoint has no rotation: one rotation fewer than secrets.
  return [time, ...running].slice(0, MAX_SIGNING_SECRETS - 1).join(' ');
};

/** Every webhook endpoint that is not removed. */
export const webhooksProjection = projection<WebhookEvent, Webhook, WebhookFields>({
  name: 'webhooks',
  version: 2,
  category: 'webhook',
  fields: { tenant: 'text', status: 'text', createdAt: 'text', secret: 'integer', rotatedAt: 'text', enabledAt: 'text' },
  indexes: [['tenant', '-createdAt']],
  cells: ['tenant'],
  amount: () => 1,
  on: {
    WebhookRegistered: (_, terms, meta) => registered(terms, meta),
    WebhookRevised: (current, terms, meta) => changed(current, terms, meta),
    WebhookSecretRotated: (current, { secret }, meta) => changed(current, {}, meta, { secret, rotatedAt: rotationsAt(current, meta) }),
    WebhookDisabled: (current, { reason }, meta) => changed(current, { status: 'disabled', disabledReason: reason }, meta),
    WebhookEnabled: (current, _, meta) =>
      changed(current, { status: 'enabled', disabledReason: undefined }, meta, { enabledAt: meta.time }),
    WebhookRemoved: () => null,
  },
});
