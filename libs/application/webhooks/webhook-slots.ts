import { webhookSlotsStream, type WebhookId } from '../../domain/ids.js';
import type { WebhookSlot, WebhookSlotsRejection, WebhookSlotsEvent } from '../../domain/webhooks/webhook-slots.decider.js';
import type { WebhookRegistration } from '../../domain/webhooks/webhook.events.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { rejectionIn, type Rejection } from '../../eventsourcing/decider.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { Aggregates } from '../../eventsourcing/aggregates.js';
import type { EventCodec } from '../../eventsourcing/event-codec.js';
import { commandContextOf, type CommandContext } from '../../eventsourcing/message.js';
import { WEBHOOK_SLOTS, WEBHOOKS } from '../aggregates.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { endpointsOf } from '../../deliveries/endpoints.js';
import { KeyedQueue } from '../../runtime/following/keyed-queue.js';

/**
 * Milliseconds after which a claimed slot without an endpoint is checked. Within this time, the process that claimed the slot
 * may still register the endpoint. A check that is too early does no harm: the same endpoint is registered once. So a slot whose time is
 * later than now, which a clock that was ahead has claimed, is checked, too.
 */
const CHECK_AFTER = 10_000;

type WebhookSlotsDependencies = {
  readonly aggregates: Aggregates;
  readonly documents: Documents;
  readonly store: EventStore;
  readonly codec: EventCodec;
  readonly clock: Clock;
};

type SlotRejection = Rejection<WebhookSlotsRejection | 'contended' | 'precondition_failed'>;

/**
 * The slots limit the number of a tenant's endpoints. Before an endpoint is registered, an append to the tenant's
 * stream claims a slot. After the endpoint is removed, the slot is released. A crash can prevent the registration or the
 * release. The next claim that finds no free slot completes the interrupted step.
 */
export class WebhookSlots {
  /** Runs a tenant's claims in this process one after another. They append to one stream, so concurrent claims would conflict. */
  private readonly claims = new KeyedQueue();

  constructor(private readonly dependencies: WebhookSlotsDependencies) {}

  /** Claims a slot for an endpoint. Returns the rejection, or null if the endpoint may be registered. */
  async claim(webhookId: WebhookId, registration: WebhookRegistration, context: CommandContext): Promise<SlotRejection | null> {
    return this.claims.run(context.tenant, async () => {
      const rejection = await this.tryClaim(webhookId, registration, context);
      if (rejection?.rejected !== 'too_many_webhooks' || !(await this.releaseAbandoned(context.tenant))) return rejection;
      return this.tryClaim(webhookId, registration, context);
    });
  }

  /** Releases the slot of a removed endpoint. */
  async release(webhookId: WebhookId, context: CommandContext): Promise<SlotRejection | null> {
    const command = { type: 'FreeWebhookSlot', data: { webhookId } } as const;
    const outcome = await this.dependencies.aggregates.handle(WEBHOOK_SLOTS, context.tenant, command, context);
    return rejectionIn(outcome);
  }

  private async tryClaim(webhookId: WebhookId, registration: WebhookRegistration, context: CommandContext): Promise<SlotRejection | null> {
    const { aggregates, documents } = this.dependencies;
    const { tenant } = context;
    const loaded = await aggregates.load(WEBHOOK_SLOTS, tenant);
    // An early version registered endpoints without slots. The first claim of a tenant also appends slots for such endpoints.
    const registered = loaded.state.tenant === null ? (await endpointsOf(documents, tenant)).map(({ id }) => id as WebhookId) : [];
    const command = { type: 'ClaimWebhookSlot', data: { webhookId, registered, ...registration } } as const;
    const outcome = await aggregates.handle(WEBHOOK_SLOTS, tenant, command, context, { loaded });
    return rejectionIn(outcome);
  }

  /** Completes registrations and releases that a crash interrupted. Returns whether a slot was released. */
  private async releaseAbandoned(tenant: string): Promise<boolean> {
    const { aggregates, documents, clock } = this.dependencies;
    const { state } = await aggregates.load(WEBHOOK_SLOTS, tenant);
    const registered = new Set((await endpointsOf(documents, tenant)).map(({ id }) => id));
    const now = clock.now().getTime();
    let isReleased = false;
    const isOld = (since: string): boolean => Math.abs(now - Date.parse(since)) >= CHECK_AFTER;
    for (const slot of state.slots.filter(({ webhookId, since }) => !registered.has(webhookId) && isOld(since)))
      isReleased = (await this.completeOrRelease(tenant, slot)) || isReleased;
    return isReleased;
  }

  /** Releases the slot of a removed endpoint, or registers the endpoint of a claimed slot. Returns true after a release. */
  private async completeOrRelease(tenant: string, { webhookId, claim }: WebhookSlot): Promise<boolean> {
    const { state } = await this.dependencies.aggregates.load(WEBHOOKS, webhookId);
    if (state.kind === 'removed') return (await this.release(webhookId, recoveryContext(tenant, webhookId))) === null;
    if (state.kind === 'unregistered' && claim !== null) await this.register(tenant, webhookId, claim);
    return false;
  }

  /**
   * Registers the endpoint of a claimed slot. `claim` is the revision of the event with the endpoint's registration. The client
   * got no response to the interrupted request. If it repeats the request with the same Idempotency-Key, it gets this endpoint.
   */
  private async register(tenant: string, webhookId: WebhookId, claim: number): Promise<void> {
    const { aggregates, store, codec } = this.dependencies;
    const [stored] = await store.readStream(webhookSlotsStream(tenant), claim, 1);
    const event = stored && eventOf<WebhookSlotsEvent>(codec.decode(stored));
    if (event?.type !== 'WebhookSlotClaimed') return;
    await aggregates.handle(WEBHOOKS, webhookId, { type: 'CreateWebhook', data: event.data }, commandContextOf(event));
  }
}

const recoveryContext = (tenant: string, cause: string): CommandContext => ({
  tenant,
  actor: 'process:webhook-slots',
  correlationId: cause,
  causationId: cause,
});
