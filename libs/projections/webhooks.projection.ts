import {
  MAX_SIGNING_SECRETS,
  SECRET_OVERLAP_MILLISECONDS,
  type DisabledReason,
  type WebhookEvent,
  type WebhookRegistration,
  type WebhookStatus,
  type WebhookTerms,
} from '../domain/webhooks/webhook.events.js';
import { aggregateIdOf, type EventMeta } from '../eventsourcing/message.js';
import { projection, type Document } from '../eventsourcing/projection.js';

/**
 * A webhook endpoint as the interface returns it. It contains no secret. A secret is shown only in the response to the request
 * that creates the secret (contract 18.3).
 */
export type Webhook = WebhookTerms & {
  readonly id: string;
  /** Undefined if no other endpoint can have the same secrets. */
  readonly secretName: string | undefined;
  readonly status: WebhookStatus;
  /** Undefined while the endpoint is enabled. */
  readonly disabledReason: DisabledReason | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** The fields by which endpoints are queried and counted, and the fields that signing needs. */
export type WebhookFields = {
  readonly tenant: string;
  readonly status: WebhookStatus;
  readonly createdAt: string;
  /** The number of the current secret: 1 for the first one. The secret is derived from the number, and is stored nowhere. */
  readonly secret: number;
  /**
   * The times of the last rotations, latest first, separated by spaces. Null before the first rotation. An earlier rotation is
   * listed only if the secret that it replaced still signed at the time of the latest rotation. At most
   * MAX_SIGNING_SECRETS - 1 times are listed.
   */
  readonly rotatedAt: string | null;
  /** When the endpoint was last enabled. Only failures after this time can disable it. */
  readonly enabledAt: string;
};

type WebhookDocument = Document<Webhook, WebhookFields>;
type StatusFields = Pick<Webhook, 'secretName' | 'status' | 'disabledReason' | 'createdAt' | 'updatedAt'>;

/** Names the members in the documented order, so that equal events produce equal JSON. */
const bodyOf = (id: string, { url, events, ordered }: WebhookTerms, fields: StatusFields): Webhook => ({
  id,
  url,
  events,
  ordered,
  secretName: fields.secretName,
  status: fields.status,
  disabledReason: fields.disabledReason,
  createdAt: fields.createdAt,
  updatedAt: fields.updatedAt,
});

const registered = ({ secretName, ...terms }: WebhookRegistration, { stream, tenant, time }: EventMeta): WebhookDocument => ({
  body: bodyOf(aggregateIdOf(stream), terms, {
    secretName,
    status: 'enabled',
    disabledReason: undefined,
    createdAt: time,
    updatedAt: time,
  }),
  fields: { tenant, status: 'enabled', createdAt: time, secret: 1, rotatedAt: null, enabledAt: time },
});

const changed = (
  current: WebhookDocument | null,
  change: Partial<WebhookTerms & StatusFields>,
  { time }: EventMeta,
  fields: Partial<WebhookFields> = {},
): WebhookDocument | null => {
  if (!current) return null;
  const body = { ...current.body, ...change, updatedAt: time };
  return { body: bodyOf(body.id, body, body), fields: { ...current.fields, status: body.status, ...fields } };
};

/** Returns `rotatedAt` after a rotation: its time, and the earlier rotations whose replaced secrets still sign. */
const rotationsAt = (current: WebhookDocument | null, { time }: EventMeta): string => {
  const former = current?.fields.rotatedAt?.split(' ') ?? [];
  const overlapping = former.filter((before) => Date.parse(time) < Date.parse(before) + SECRET_OVERLAP_MILLISECONDS);
  // The first secret came from the registration, so there is one rotation fewer than there are secrets.
  return [time, ...overlapping].slice(0, MAX_SIGNING_SECRETS - 1).join(' ');
};

/** The read model of every webhook endpoint that is not removed. */
export const webhooksProjection = projection<WebhookEvent, Webhook, WebhookFields>({
  name: 'webhooks',
  version: 3,
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
