import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { releaseWork } from '../../deliveries/redelivery/release.js';
import { openWebhookSecrets } from '../../deliveries/signing/webhook-secrets.js';
import { webhookStream, type WebhookId } from '../../domain/ids.js';
import type { WebhookRejection } from '../../domain/webhooks/webhook.decider.js';
import type { WebhookStatus, WebhookTerms } from '../../domain/webhooks/webhook.events.js';
import { isRejection, rejected } from '../../eventsourcing/decider.js';
import type { Aggregates, AppendedEvent, EventCodec } from '../../eventsourcing/handle.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import { WEBHOOKS } from '../aggregates.js';
import { answerFrom, firstEvent } from '../creation.js';
import type { Identities } from '../identities.js';
import { handleOnMatch } from '../precondition.js';
import { commandContext, type AnswerOf, type Created, type Refused, type RequestContext, type View } from '../request.js';
import { AGGREGATES, CLOCK, CODEC, DOCUMENTS, EVENT_STORE, IDENTITIES, KEY_VAULT, WORK_QUEUE } from '../tokens.js';
import { viewFromLog } from '../views.js';
import { WebhookSlots } from './webhook-slots.js';

/** Registers an endpoint; the answer's JSON shows its secret. */
export class CreateWebhook extends Command<Created | Refused<WebhookRejection | 'too_many_webhooks' | 'idempotency_key_reused'>> {
  constructor(
    readonly terms: WebhookTerms,
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

  async execute({ terms, request }: CreateWebhook): Promise<AnswerOf<CreateWebhook>> {
    const { id, bodyDigest } = this.identities.of<WebhookId>('createWebhook', request, terms);
    const earlier = bodyDigest && (await firstEvent(this.store, this.codec, webhookStream(id)));
    if (earlier) return this.answer(earlier, bodyDigest, true);
    const context = commandContext(request, bodyDigest);
    // Should this process die before the endpoint is registered: the slot says all that it takes to do so.
    const refused = await this.slots.claim(id, terms, context);
    if (refused) return refused;
    const command = { type: 'RegisterWebhook', data: { webhookId: id, ...terms } } as const;
    const outcome = await this.aggregates.handle(WEBHOOKS, id, command, context, { isNew: true });
    if (isRejection(outcome) && outcome.rejected !== 'webhook_exists') return outcome;
    const registered = isRejection(outcome) ? undefined : outcome.events[0];
    const first = registered ?? (await firstEvent(this.store, this.codec, webhookStream(id)));
    return first ? this.answer(first, bodyDigest, !registered) : rejected('webhook_not_found');
  }

  /** "201 with the secret `whsec_…` shown once"; a repeat with the same key is the same time. */
  private async answer(first: AppendedEvent, bodyDigest: string | undefined, replayed: boolean): Promise<AnswerOf<CreateWebhook>> {
    const answer = answerFrom(WEBHOOKS.projection, first, { bodyDigest, replayed });
    if (isRejection(answer)) return answer;
    const secrets = await openWebhookSecrets(this.keys);
    return { ...answer, json: JSON.stringify({ ...(JSON.parse(answer.json) as object), secret: secrets.of(answer.id, 1) }) };
  }
}

/** Replaces what is said of an endpoint; a status that is left out stays as it is. */
export class UpdateWebhook extends Command<View | Refused<WebhookRejection>> {
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
    @Inject(EVENT_STORE) readonly store: EventStore,
    @Inject(CODEC) readonly codec: EventCodec,
    @Inject(WORK_QUEUE) private readonly work: WorkQueue,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ id, terms, status, request }: UpdateWebhook): Promise<AnswerOf<UpdateWebhook>> {
    const command = { type: 'ReviseWebhook', data: { webhookId: id as WebhookId, ...terms, ...(status && { status }) } } as const;
    const outcome = await handleOnMatch(this.aggregates, WEBHOOKS, id, command, request);
    if (isRejection(outcome)) return outcome;
    const view = await viewFromLog(this, WEBHOOKS.projection, id);
    if (!view) return rejected('webhook_not_found');
    // Also when nothing changed: a client that got no answer because a process died sends the same request again.
    if (!terms.ordered) await this.work.enqueue(releaseWork({ id, tenant: request.tenant }, view.etag), this.clock.now());
    return view;
  }
}

/** Takes an endpoint away; answers nothing when done. */
export class DeleteWebhook extends Command<null | Refused<WebhookRejection>> {
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

  async execute({ id, request }: DeleteWebhook): Promise<AnswerOf<DeleteWebhook>> {
    const command = { type: 'RemoveWebhook', data: { webhookId: id as WebhookId } } as const;
    const outcome = await handleOnMatch(this.aggregates, WEBHOOKS, id, command, request);
    if (isRejection(outcome)) return outcome;
    // The endpoint is removed, whatever becomes of this: a slot that stays behind is freed when all are claimed.
    await this.slots.free(id as WebhookId, commandContext(request));
    return null;
  }
}

/** Listed in the module: the handlers of commands on webhook endpoints. */
export const WEBHOOK_COMMAND_HANDLERS = [CreateWebhookHandler, UpdateWebhookHandler, DeleteWebhookHandler];
