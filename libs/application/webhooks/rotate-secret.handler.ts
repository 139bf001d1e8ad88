import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { openWebhookSecrets } from '../../deliveries/signing/webhook-secrets.js';
import { webhookStream, type WebhookId } from '../../domain/ids.js';
import type { WebhookRejection } from '../../domain/webhooks/webhook.decider.js';
import { SECRET_OVERLAP_MILLISECONDS, type WebhookEvent } from '../../domain/webhooks/webhook.events.js';
import { isRejection, rejected } from '../../eventsourcing/decider.js';
import type { Aggregates, AppendedEvent, EventCodec } from '../../eventsourcing/handle.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { historyOf } from '../../runtime/codec/verified-history.js';
import { WEBHOOKS } from '../aggregates.js';
import type { Identities } from '../identities.js';
import { commandContext, type AnswerOf, type Refused, type RequestContext } from '../request.js';
import { AGGREGATES, CODEC, EVENT_STORE, IDENTITIES, KEY_VAULT } from '../tokens.js';

/** A secret as it is shown, once. */
type ShownSecret = {
  /** `whsec_` and base64. */
  readonly secret: string;
  readonly rotatedAt: string;
  /** Until then the former one signs too. */
  readonly formerUntil: string;
};

/** Gives an endpoint another secret; `replayed` when an earlier request with the same Idempotency-Key had done so. */
export class RotateSecret extends Command<(ShownSecret & { readonly replayed: boolean }) | Refused<WebhookRejection>> {
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

  /** A repeat with the same Idempotency-Key is the same rotation, and shows the same secret. */
  async execute({ id, request }: RotateSecret): Promise<AnswerOf<RotateSecret>> {
    const { id: rotationId } = this.identities.of<string>('rotateWebhookSecret', request, { webhookId: id });
    const command = { type: 'RotateWebhookSecret', data: { webhookId: id as WebhookId, rotationId } } as const;
    const outcome = await this.aggregates.handle(WEBHOOKS, id, command, commandContext(request));
    if (isRejection(outcome)) return outcome;
    const rotation = outcome.events[0] ?? (await this.rotationOf(id as WebhookId, rotationId));
    if (rotation?.type !== 'WebhookSecretRotated') return rejected('webhook_not_found');
    const secrets = await openWebhookSecrets(this.keys);
    const rotatedAt = rotation.meta.time;
    return {
      secret: secrets.of(id, rotation.data.secret),
      rotatedAt,
      // "rotation; the old one signs too for 24 h"
      formerUntil: new Date(Date.parse(rotatedAt) + SECRET_OVERLAP_MILLISECONDS).toISOString(),
      replayed: outcome.events.length === 0,
    };
  }

  private async rotationOf(id: WebhookId, rotationId: string): Promise<AppendedEvent<WebhookEvent> | undefined> {
    const events = await historyOf(this, webhookStream(id));
    return events
      .map((event) => eventOf<WebhookEvent>(event))
      .find(({ type, data }) => type === 'WebhookSecretRotated' && data.rotationId === rotationId);
  }
}
