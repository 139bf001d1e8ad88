import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { openWebhookSecrets, secretOwner } from '../../deliveries/signing.js';
import { webhookStream, type WebhookId } from '../../domain/ids.js';
import type { WebhookRejection } from '../../domain/webhooks/webhook.decider.js';
import { SECRET_OVERLAP_MILLISECONDS, type WebhookEvent } from '../../domain/webhooks/webhook.events.js';
import { isRejection, rejected } from '../../eventsourcing/decider.js';
import type { Aggregates } from '../../eventsourcing/handle.js';
import type { AppendedEvent, EventCodec, StreamEnd } from '../../eventsourcing/event-codec.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { findLastEvent } from '../../runtime/codec/verified-history.js';
import type { Webhook } from '../../projections/webhooks.projection.js';
import { WEBHOOKS } from '../aggregates.js';
import type { Identities } from '../identities.js';
import { commandContext, type ResultOf, type CommandRejection, type RequestContext } from '../request.js';
import { AGGREGATES, CODEC, EVENT_STORE, IDENTITIES, KEY_VAULT } from '../tokens.js';

/** A new secret. Only the response to the rotation contains it. */
type RotatedSecret = {
  /** `whsec_` and base64. */
  readonly secret: string;
  readonly rotatedAt: string;
  /** Until this time, deliveries are also signed with the previous secret. */
  readonly formerUntil: string;
};

/** Rotates an endpoint's secret. `replayed` is true if an earlier request with the same Idempotency-Key did so. */
export class RotateSecret extends Command<(RotatedSecret & { readonly replayed: boolean }) | CommandRejection<WebhookRejection>> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(RotateSecret)
export class RotateSecretHandler implements ICommandHandler<RotateSecret> {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: Aggregates,
    @Inject(IDENTITIES) private readonly identities: Identities,
    @Inject(EVENT_STORE) readonly store: EventStore,
    @Inject(CODEC) readonly codec: EventCodec,
    @Inject(KEY_VAULT) private readonly keys: KeyVault,
  ) {}

  /** A repeated request with the same Idempotency-Key returns the secret of the first one. */
  async execute({ id, request }: RotateSecret): Promise<ResultOf<RotateSecret>> {
    const { id: rotationId } = this.identities.of<string>('rotateWebhookSecret', request, { webhookId: id });
    const command = { type: 'RotateWebhookSecret', data: { webhookId: id as WebhookId, rotationId } } as const;
    const outcome = await this.aggregates.handle(WEBHOOKS, id, command, commandContext(request));
    if (isRejection(outcome)) return outcome;
    const rotation = outcome.events[0] ?? (await this.readRotation(id as WebhookId, outcome.end, rotationId));
    const { document } = outcome.folded;
    if (rotation?.type !== 'WebhookSecretRotated' || !document) return rejected('webhook_not_found');
    const secrets = await openWebhookSecrets(this.keys);
    const rotatedAt = rotation.meta.time;
    return {
      secret: secrets.of(secretOwner(document.body as Webhook, request.tenant), rotation.data.secret),
      rotatedAt,
      // 24 hours (contract 18.3).
      formerUntil: new Date(Date.parse(rotatedAt) + SECRET_OVERLAP_MILLISECONDS).toISOString(),
      replayed: outcome.events.length === 0,
    };
  }

  private async readRotation(id: WebhookId, { revision }: StreamEnd, rotationId: string): Promise<AppendedEvent<WebhookEvent> | null> {
    const found = await findLastEvent(this, webhookStream(id), revision, (recorded) => {
      const { type, data } = eventOf<WebhookEvent>(recorded);
      return type === 'WebhookSecretRotated' && data.rotationId === rotationId;
    });
    return found && eventOf<WebhookEvent>(found);
  }
}
