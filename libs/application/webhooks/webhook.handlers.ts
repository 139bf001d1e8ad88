import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { releaseWork } from '../../deliveries/redelivery/release.js';
import { openWebhookSecrets, secretOwner } from '../../deliveries/signing.js';
import { webhookStream, type WebhookId } from '../../domain/ids.js';
import type { WebhookRejection } from '../../domain/webhooks/webhook.decider.js';
import type { WebhookRegistration, WebhookStatus, WebhookTerms } from '../../domain/webhooks/webhook.events.js';
import { isRejection, rejected } from '../../eventsourcing/decider.js';
import type { Aggregates } from '../../eventsourcing/handle.js';
import type { AppendedEvent, EventCodec } from '../../eventsourcing/event-codec.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import { WEBHOOKS } from '../aggregates.js';
import { createdView, readFirstEvent } from '../creation.js';
import type { Identities } from '../identities.js';
import { handleWithPrecondition } from '../precondition.js';
import { commandContext, type ResultOf, type CreationResult, type CommandRejection, type RequestContext, type View } from '../request.js';
import type { Webhook } from '../../projections/webhooks.projection.js';
import { AGGREGATES, CLOCK, CODEC, DOCUMENTS, EVENT_STORE, IDENTITIES, KEY_VAULT, WORK_QUEUE } from '../tokens.js';
import { viewAfter } from '../views.js';
import { WebhookSlots } from './webhook-slots.js';

/** Registers an endpoint. The JSON of the result contains the endpoint's secret. */
export class CreateWebhook extends Command<
  CreationResult | CommandRejection<WebhookRejection | 'too_many_webhooks' | 'idempotency_key_reused'>
> {
  constructor(
    readonly terms: WebhookRegistration,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(CreateWebhook)
export class CreateWebhookHandler implements ICommandHandler<CreateWebhook> {
  private readonly slots: WebhookSlots;

  constructor(
    @Inject(AGGREGATES) private readonly aggregates: Aggregates,
    @Inject(IDENTITIES) private readonly identities: Identities,
    @Inject(DOCUMENTS) documents: Documents,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CODEC) private readonly codec: EventCodec,
    @Inject(KEY_VAULT) private readonly keys: KeyVault,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.slots = new WebhookSlots({ aggregates, documents, store, codec, clock });
  }

  async execute({ terms, request }: CreateWebhook): Promise<ResultOf<CreateWebhook>> {
    const { id, bodyDigest } = this.identities.of<WebhookId>('createWebhook', request, terms);
    const earlier = bodyDigest && (await readFirstEvent(this.store, this.codec, webhookStream(id)));
    if (earlier) return this.answer(earlier, bodyDigest, true);
    const context = commandContext(request, bodyDigest);
    // The event of the claim contains the terms. So the registration can be completed if this process crashes.
    const rejection = await this.slots.claim(id, terms, context);
    if (rejection) return rejection;
    const command = { type: 'CreateWebhook', data: { webhookId: id, ...terms } } as const;
    const outcome = await this.aggregates.handle(WEBHOOKS, id, command, context, { isNew: true });
    if (isRejection(outcome) && outcome.rejected !== 'webhook_exists') return outcome;
    const registered = isRejection(outcome) ? undefined : outcome.events[0];
    const first = registered ?? (await readFirstEvent(this.store, this.codec, webhookStream(id)));
    return first ? this.answer(first, bodyDigest, !registered) : rejected('webhook_not_found');
  }

  /** Adds the secret, which no later read returns (contract 18.3). A replayed request returns it again. */
  private async answer(first: AppendedEvent, bodyDigest: string | undefined, replayed: boolean): Promise<ResultOf<CreateWebhook>> {
    const answer = createdView(WEBHOOKS.projection, first, { bodyDigest, replayed });
    if (isRejection(answer)) return answer;
    const webhook = JSON.parse(answer.json) as Webhook;
    const secrets = await openWebhookSecrets(this.keys);
    return { ...answer, json: JSON.stringify({ ...webhook, secret: secrets.of(secretOwner(webhook, first.meta.tenant), 1) }) };
  }
}

/** Replaces an endpoint's terms. An omitted status does not change. */
export class UpdateWebhook extends Command<View | CommandRejection<WebhookRejection>> {
  constructor(
    readonly id: string,
    readonly terms: WebhookTerms,
    readonly status: WebhookStatus | undefined,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(UpdateWebhook)
export class UpdateWebhookHandler implements ICommandHandler<UpdateWebhook> {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: Aggregates,
    @Inject(WORK_QUEUE) private readonly work: WorkQueue,
  ) {}

  async execute({ id, terms, status, request }: UpdateWebhook): Promise<ResultOf<UpdateWebhook>> {
    const command = { type: 'UpdateWebhook', data: { webhookId: id as WebhookId, ...terms, ...(status && { status }) } } as const;
    const outcome = await handleWithPrecondition(this.aggregates, WEBHOOKS, id, command, request);
    if (isRejection(outcome)) return outcome;
    const view = viewAfter(WEBHOOKS, id, outcome);
    if (!view) return rejected('webhook_not_found');
    // Without `ordered`, deliveries need not wait for earlier ones. So this work sends those that still wait (contract 20.8). It
    // is enqueued even if nothing changed, because a crash may have interrupted an equal request before the enqueue.
    if (!terms.ordered) await this.work.enqueue(releaseWork({ id, tenant: request.tenant }, view.etag));
    return view;
  }
}

/** Removes an endpoint. Returns null on success. */
export class DeleteWebhook extends Command<null | CommandRejection<WebhookRejection>> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(DeleteWebhook)
export class DeleteWebhookHandler implements ICommandHandler<DeleteWebhook> {
  private readonly slots: WebhookSlots;

  constructor(
    @Inject(AGGREGATES) private readonly aggregates: Aggregates,
    @Inject(DOCUMENTS) documents: Documents,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(CODEC) codec: EventCodec,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.slots = new WebhookSlots({ aggregates, documents, store, codec, clock });
  }

  async execute({ id, request }: DeleteWebhook): Promise<ResultOf<DeleteWebhook>> {
    const command = { type: 'DeleteWebhook', data: { webhookId: id as WebhookId } } as const;
    const outcome = await handleWithPrecondition(this.aggregates, WEBHOOKS, id, command, request);
    if (isRejection(outcome)) return outcome;
    // The endpoint stays removed even if this release is rejected. If a later claim finds no free slot, it releases this one.
    await this.slots.release(id as WebhookId, commandContext(request));
    return null;
  }
}

/** The command handlers of webhook endpoints, for the module. */
export const WEBHOOK_COMMAND_HANDLERS = [CreateWebhookHandler, UpdateWebhookHandler, DeleteWebhookHandler];
