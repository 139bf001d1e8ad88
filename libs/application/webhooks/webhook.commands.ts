import { releaseWork } from '../../deliveries/redelivery/release.js';
import { openWebhookSecrets, secretOwner } from '../../deliveries/signing.js';
import { webhookStream, type WebhookId } from '../../domain/ids.js';
import type { WebhookRejection } from '../../domain/webhooks/webhook.decider.js';
import {
  SECRET_OVERLAP_MILLISECONDS,
  type WebhookEvent,
  type WebhookRegistration,
  type WebhookStatus,
  type WebhookTerms,
} from '../../domain/webhooks/webhook.events.js';
import { isRejection, rejected } from '../../eventsourcing/decider.js';
import type { AppendedEvent, StreamEnd } from '../../eventsourcing/event-codec.js';
import type { Webhook } from '../../projections/webhooks.projection.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { findLastEvent } from '../../runtime/codec/verified-history.js';
import { WEBHOOKS } from '../aggregates.js';
import type { Ports } from '../command-ports.js';
import { create } from '../creation.js';
import { handleWithPrecondition } from '../precondition.js';
import {
  commandContext,
  RequestCommand,
  type CommandRejection,
  type CreationResult,
  type RequestContext,
  type ResultOf,
  type View,
} from '../request.js';
import { viewAfter } from '../views.js';

/** Registers an endpoint. The JSON of the result contains the endpoint's secret. */
export class CreateWebhook extends RequestCommand<
  'CreateWebhook',
  CreationResult | CommandRejection<WebhookRejection | 'too_many_webhooks' | 'idempotency_key_reused'>
> {
  constructor(
    readonly terms: WebhookRegistration,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** Claims a slot of the tenant, then registers the endpoint. No later read returns the secret of the answer (contract 18.3). */
export const createWebhook = (
  ports: Ports<'aggregates' | 'identities' | 'store' | 'codec' | 'keys' | 'slots'>,
  { terms, request }: CreateWebhook,
): Promise<ResultOf<CreateWebhook>> =>
  create(ports, {
    operation: 'createWebhook',
    request,
    digested: terms,
    aggregate: WEBHOOKS,
    exists: 'webhook_exists',
    missing: 'webhook_not_found',
    append: async ({ id }: { readonly id: WebhookId }, context) => {
      // The event of the claim contains the terms. So the registration can be completed if this process crashes.
      const rejection = await ports.slots.claim(id, terms, context);
      if (rejection) return rejection;
      const command = { type: 'CreateWebhook', data: { webhookId: id, ...terms } } as const;
      const outcome = await ports.aggregates.handle(WEBHOOKS, id, command, context, { isNew: true });
      return isRejection(outcome) ? outcome : { first: outcome.events[0] };
    },
    answer: async (view, { first }) => {
      const webhook = JSON.parse(view.json) as Webhook;
      const secrets = await openWebhookSecrets(ports.keys);
      return { ...view, json: JSON.stringify({ ...webhook, secret: secrets.of(secretOwner(webhook, first.meta.tenant), 1) }) };
    },
  });

/** Replaces an endpoint's terms. An omitted status does not change. */
export class UpdateWebhook extends RequestCommand<'UpdateWebhook', View | CommandRejection<WebhookRejection>> {
  constructor(
    readonly id: string,
    readonly terms: WebhookTerms,
    readonly status: WebhookStatus | undefined,
    readonly request: RequestContext,
  ) {
    super();
  }
}

export const updateWebhook = async (
  { aggregates, work }: Ports<'aggregates' | 'work'>,
  { id, terms, status, request }: UpdateWebhook,
): Promise<ResultOf<UpdateWebhook>> => {
  const command = { type: 'UpdateWebhook', data: { webhookId: id as WebhookId, ...terms, ...(status && { status }) } } as const;
  const outcome = await handleWithPrecondition(aggregates, WEBHOOKS, id, command, request);
  if (isRejection(outcome)) return outcome;
  const view = viewAfter(WEBHOOKS, id, outcome);
  if (!view) return rejected('webhook_not_found');
  // Without `ordered`, deliveries need not wait for earlier ones. So this work sends those that still wait (contract 20.8). It
  // is enqueued even if nothing changed, because a crash may have interrupted an equal request before the enqueue.
  if (!terms.ordered) await work.enqueue(releaseWork({ id, tenant: request.tenant }, view.etag));
  return view;
};

/** Removes an endpoint. Returns null on success. */
export class DeleteWebhook extends RequestCommand<'DeleteWebhook', null | CommandRejection<WebhookRejection>> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

export const deleteWebhook = async (
  { aggregates, slots }: Ports<'aggregates' | 'slots'>,
  { id, request }: DeleteWebhook,
): Promise<ResultOf<DeleteWebhook>> => {
  const command = { type: 'DeleteWebhook', data: { webhookId: id as WebhookId } } as const;
  const outcome = await handleWithPrecondition(aggregates, WEBHOOKS, id, command, request);
  if (isRejection(outcome)) return outcome;
  // The endpoint stays removed even if this release is rejected. If a later claim finds no free slot, it releases this one.
  await slots.release(id as WebhookId, commandContext(request));
  return null;
};

/** A new secret. Only the response to the rotation contains it. */
type RotatedSecret = {
  /** `whsec_` and base64. */
  readonly secret: string;
  readonly rotatedAt: string;
  /** Until this time, deliveries are also signed with the previous secret. */
  readonly formerUntil: string;
};

/** Rotates an endpoint's secret. `replayed` is true if an earlier request with the same Idempotency-Key did so. */
export class RotateSecret extends RequestCommand<
  'RotateSecret',
  (RotatedSecret & { readonly replayed: boolean }) | CommandRejection<WebhookRejection>
> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

type RotationPorts = Ports<'aggregates' | 'identities' | 'store' | 'codec' | 'keys'>;

/** A repeated request with the same Idempotency-Key returns the secret of the first one. */
export const rotateSecret = async (ports: RotationPorts, { id, request }: RotateSecret): Promise<ResultOf<RotateSecret>> => {
  const { id: rotationId } = ports.identities.of<string>('rotateWebhookSecret', request, { webhookId: id });
  const command = { type: 'RotateWebhookSecret', data: { webhookId: id as WebhookId, rotationId } } as const;
  const outcome = await ports.aggregates.handle(WEBHOOKS, id, command, commandContext(request));
  if (isRejection(outcome)) return outcome;
  const rotation = outcome.events[0] ?? (await readRotation(ports, id as WebhookId, outcome.end, rotationId));
  const { document } = outcome.folded;
  if (rotation?.type !== 'WebhookSecretRotated' || !document) return rejected('webhook_not_found');
  const secrets = await openWebhookSecrets(ports.keys);
  const rotatedAt = rotation.meta.time;
  return {
    secret: secrets.of(secretOwner(document.body as Webhook, request.tenant), rotation.data.secret),
    rotatedAt,
    // 24 hours (contract 18.3).
    formerUntil: new Date(Date.parse(rotatedAt) + SECRET_OVERLAP_MILLISECONDS).toISOString(),
    replayed: outcome.events.length === 0,
  };
};

const readRotation = async (
  ports: RotationPorts,
  id: WebhookId,
  { revision }: StreamEnd,
  rotationId: string,
): Promise<AppendedEvent<WebhookEvent> | null> => {
  const found = await findLastEvent(ports, webhookStream(id), revision, (recorded) => {
    const { type, data } = eventOf<WebhookEvent>(recorded);
    return type === 'WebhookSecretRotated' && data.rotationId === rotationId;
  });
  return found && eventOf<WebhookEvent>(found);
};
