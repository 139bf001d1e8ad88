import { webhookSlotsStream, type WebhookId } from '../../domain/ids.js';
import type { WebhookSlot, WebhookSlotsRejection } from '../../domain/webhooks/webhook-slots.decider.js';
import type { WebhookSlotsEvent } from '../../domain/webhooks/webhook-slots.events.js';
import type { WebhookTerms } from '../../domain/webhooks/webhook.events.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { isRejection, type Rejection } from '../../eventsourcing/decider.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { Aggregates, EventCodec } from '../../eventsourcing/handle.js';
import type { CommandContext } from '../../eventsourcing/message.js';
import { WEBHOOK_SLOTS, WEBHOOKS } from '../aggregates.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { endpointsOf } from '../../deliveries/endpoints.js';
import { OneAtATime } from '../../runtime/following/keyed-queue.js';
import { commandContextOf } from '../../eventsourcing/message.js';

/**
 * A slot may be without its endpoint for this long, in milliseconds, before it is looked into: its process may be about to
 * register it. Looking too early does no harm and costs a read.
 */
const UNSETTLED = 10_000;

type Parts = {
  readonly aggregates: Aggregates;
  readonly documents: Documents;
  readonly store: EventStore;
  readonly codec: EventCodec;
  readonly clock: Clock;
};

type Refused = Rejection<WebhookSlotsRejection | 'contended' | 'precondition_failed'>;

/**
 * The slots of a tenant's endpoints. An endpoint's slot is claimed by an append to the tenant's own stream, before it is
 * registered; freed, after it is removed. What a process that died left undone is done when the slots have run out.
 */
export class WebhookSlots {
  /** All claims of a tenant meet on one stream: those of one process need not conflict there. */
  private readonly claims = new OneAtATime();

  constructor(private readonly parts: Parts) {}

  /** Claims a slot; answers why not, or null when the endpoint may be registered. */
  async claim(webhookId: WebhookId, terms: WebhookTerms, context: CommandContext): Promise<Refused | null> {
    return this.claims.run(context.tenant, async () => {
      const refused = await this.tryClaim(webhookId, terms, context);
      if (refused?.rejected !== 'too_many_webhooks' || !(await this.settle(context.tenant))) return refused;
      return this.tryClaim(webhookId, terms, context);
    });
  }

  /** Frees the slot of an endpoint that was removed. */
  async free(webhookId: WebhookId, context: CommandContext): Promise<Refused | null> {
    const command = { type: 'FreeWebhookSlot', data: { webhookId } } as const;
    const outcome = await this.parts.aggregates.handle(WEBHOOK_SLOTS, context.tenant, command, context);
    return isRejection(outcome) ? outcome : null;
  }

  private async tryClaim(webhookId: WebhookId, terms: WebhookTerms, context: CommandContext): Promise<Refused | null> {
    const { aggregates, documents } = this.parts;
    const { tenant } = context;
    const loaded = await aggregates.load(WEBHOOK_SLOTS, tenant);
    const registered = loaded.state.tenant === null ? (await endpointsOf(documents, tenant)).map(({ id }) => id as WebhookId) : [];
    const command = { type: 'ClaimWebhookSlot', data: { webhookId, registered, ...terms } } as const;
    const outcome = await aggregates.handle(WEBHOOK_SLOTS, tenant, command, context, { loaded });
    return isRejection(outcome) ? outcome : null;
  }

  /** Does what was left undone between two appends; answers whether a slot came free. */
  private async settle(tenant: string): Promise<boolean> {
    const { aggregates, documents, clock } = this.parts;
    const { state } = await aggregates.load(WEBHOOK_SLOTS, tenant);
    const shown = new Set((await endpointsOf(documents, tenant)).map(({ id }) => id));
    const before = clock.now().getTime() - UNSETTLED;
    let isFreed = false;
    for (const slot of state.slots.filter(({ webhookId, since }) => !shown.has(webhookId) && Date.parse(since) <= before))
      isFreed = (await this.settleOne(tenant, slot)) || isFreed;
    return isFreed;
  }

  private async settleOne(tenant: string, { webhookId, claim }: WebhookSlot): Promise<boolean> {
    const { state } = await this.parts.aggregates.load(WEBHOOKS, webhookId);
    if (state.kind === 'removed') return (await this.free(webhookId, settling(tenant, webhookId))) === null;
    if (state.kind === 'unregistered' && claim !== null) await this.register(tenant, webhookId, claim);
    return false;
  }

  /** A claimed slot is an endpoint: its client got no answer, and may repeat the request with the same key, or finds it in the list. */
  private async register(tenant: string, webhookId: WebhookId, claim: number): Promise<void> {
    const { aggregates, store, codec } = this.parts;
    const [stored] = await store.readStream(webhookSlotsStream(tenant), claim, 1);
    const event = stored && eventOf<WebhookSlotsEvent>(codec.decode(stored));
    if (event?.type !== 'WebhookSlotClaimed') return;
    await aggregates.handle(WEBHOOKS, webhookId, { type: 'RegisterWebhook', data: event.data }, commandContextOf(event));
  }
}

const settling = (tenant: string, cause: string): CommandContext => ({
  tenant,
  actor: 'process:webhook-slots',
  correlationId: cause,
  causationId: cause,
});
