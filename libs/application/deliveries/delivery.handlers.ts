import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { WEBHOOK_TEST, webhookBody } from '../../contracts/webhook-contract.js';
import { testData } from '../../contracts/webhooks.js';
import { newDelivery, ownerOf, type Delivery } from '../../deliveries/delivery.js';
import { laneOfEndpoint } from '../../deliveries/dispatch/lanes.js';
import { startNewRound } from '../../deliveries/dispatch/outcomes.js';
import { workOf } from '../../deliveries/dispatch/send.js';
import { findEndpointOfTenant, type Endpoint } from '../../deliveries/endpoints.js';
import { DeliveryStore } from '../../deliveries/delivery-store.js';
import {
  RedeliveryStore,
  redeliveryWork,
  rangeWork,
  type StoredRedelivery,
  type Redelivery,
} from '../../deliveries/redelivery/redelivery.js';
import { webhookStream, type WebhookId } from '../../domain/ids.js';
import { isRejection, rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import type { Identities } from '../identities.js';
import type { AnswerOf, RequestContext, View } from '../request.js';
import { CLOCK, DOCUMENTS, IDENTITIES, KEY_VAULT, WORK_QUEUE } from '../tokens.js';
import { deliveryView, redeliveryView } from './delivery-views.js';

/** Nothing is sent on request to an endpoint that is not there, or is switched off: it would be parked at once. */
export type SendingRejection = 'webhook_not_found' | 'webhook_disabled';

/** The tenant's endpoint, where something may be sent to it. */
const openEndpoint = async (
  documents: Documents,
  id: string,
  { tenant }: RequestContext,
): Promise<Endpoint | Rejection<SendingRejection>> => {
  const endpoint = await findEndpointOfTenant(documents, id, tenant);
  if (!endpoint) return rejected('webhook_not_found');
  return endpoint.status === 'enabled' ? endpoint : rejected('webhook_disabled');
};

/** Sends one delivery once more, with the id it had: answers it as it will be in a moment. */
export class Redeliver extends Command<View | Rejection<SendingRejection | 'delivery_not_found'>> {
  constructor(
    readonly webhookId: string,
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(Redeliver)
export class RedeliverHandler implements ICommandHandler<Redeliver> {
  constructor(
    @Inject(DOCUMENTS) private readonly documents: Documents,
    @Inject(KEY_VAULT) private readonly keys: KeyVault,
    @Inject(WORK_QUEUE) private readonly work: WorkQueue,
    @Inject(IDENTITIES) private readonly identities: Identities,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Only enqueues the work: its worker records and sends the delivery, so that a kill loses nothing. */
  async execute({ webhookId, id, request }: Redeliver): Promise<AnswerOf<Redeliver>> {
    const endpoint = await openEndpoint(this.documents, webhookId, request);
    if (isRejection(endpoint)) return endpoint;
    const kept = await new DeliveryStore(this.documents).find(id);
    if (!kept || ownerOf(kept.delivery) !== webhookId) return rejected('delivery_not_found');
    const { id: redeliveryId } = this.identities.of(`redeliverWebhookDelivery:${id}`, request, { webhookId, id });
    const now = this.clock.now();
    const work = redeliveryWork(redeliveryId, laneOfEndpoint(endpoint), { kind: 'one', delivery: id, redeliveryId });
    // With the Idempotency-Key of an earlier request there is nothing new to do.
    if (!(await this.work.enqueue(work, now))) return deliveryView(this.keys, kept.delivery, kept.revision);
    return deliveryView(this.keys, startNewRound(kept.delivery, redeliveryId, null, now), kept.revision + 1);
  }
}

/** A stretch of time: ISO 8601; `until` is now when it is left out. */
export type RedeliveryInput = { readonly since: string; readonly until?: string };

/**
 * Sends an endpoint everything that it asks for and that happened from `since` to `until` once more, what it never got
 * too: what happened before it was registered. Refused while another such request for the endpoint is under way.
 */
export class RedeliverSince extends Command<
  View | Rejection<SendingRejection | 'stretch_not_begun' | 'redelivery_running' | 'idempotency_key_reused'>
> {
  constructor(
    readonly webhookId: string,
    readonly input: RedeliveryInput,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(RedeliverSince)
export class RedeliverSinceHandler implements ICommandHandler<RedeliverSince> {
  private readonly redeliveries: RedeliveryStore;

  constructor(
    @Inject(DOCUMENTS) private readonly documents: Documents,
    @Inject(WORK_QUEUE) private readonly work: WorkQueue,
    @Inject(IDENTITIES) private readonly identities: Identities,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.redeliveries = new RedeliveryStore(documents);
  }

  async execute({ webhookId, input, request }: RedeliverSince): Promise<AnswerOf<RedeliverSince>> {
    const { id, bodyDigest } = this.identities.of('redeliverToWebhook', request, { webhookId, ...input });
    // Before anything is decided: an endpoint may have been disabled since, if only because time has passed.
    const known = await this.redeliveries.find(id);
    if (known) {
      if (known.redelivery.status === 'running') await this.enqueue(known.redelivery);
      return viewOf(known, bodyDigest);
    }
    const endpoint = await openEndpoint(this.documents, webhookId, request);
    if (isRejection(endpoint)) return endpoint;
    const createdAt = this.clock.now().toISOString();
    if (input.since > createdAt) return rejected('stretch_not_begun');
    const asked: Redelivery = {
      id,
      tenant: request.tenant,
      webhookId,
      since: input.since,
      until: input.until ?? createdAt,
      createdAt,
      status: 'running',
      deliveries: 0,
      position: null,
      ...(bodyDigest !== undefined && { bodyDigest }),
    };
    const begun = (await this.redeliveries.begin(asked)) ?? (await this.redeliveries.find(id));
    // Also for another that is under way: its process may have died before it became work.
    const running = begun ? begun.redelivery : await this.redeliveries.findRunning(webhookId);
    if (running) await this.enqueue(running);
    return begun ? viewOf(begun, bodyDigest) : rejected('redelivery_running');
  }

  private async enqueue(running: Redelivery): Promise<void> {
    await this.work.enqueue(rangeWork(running), this.clock.now());
  }
}

const viewOf = ({ redelivery, revision }: StoredRedelivery, bodyDigest: string | undefined): AnswerOf<RedeliverSince> =>
  redelivery.bodyDigest === bodyDigest ? redeliveryView(redelivery, revision) : rejected('idempotency_key_reused');

/** Sends an endpoint a `webhook.test`; answers its delivery. */
export class SendTest extends Command<View | Rejection<SendingRejection>> {
  constructor(
    readonly webhookId: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(SendTest)
export class SendTestHandler implements ICommandHandler<SendTest> {
  constructor(
    @Inject(DOCUMENTS) private readonly documents: Documents,
    @Inject(KEY_VAULT) private readonly keys: KeyVault,
    @Inject(WORK_QUEUE) private readonly work: WorkQueue,
    @Inject(IDENTITIES) private readonly identities: Identities,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ webhookId, request }: SendTest): Promise<AnswerOf<SendTest>> {
    const endpoint = await openEndpoint(this.documents, webhookId, request);
    if (isRejection(endpoint)) return endpoint;
    const { id } = this.identities.of(`testWebhook:${webhookId}`, request, { webhookId });
    const now = this.clock.now();
    const made = testDelivery(id, endpoint, now);
    // As above: the work has all of it.
    await this.work.enqueue(workOf(made, made), now);
    return deliveryView(this.keys, await new DeliveryStore(this.documents).putNew(made), 0);
  }
}

const testDelivery = (id: string, { id: webhookId, tenant }: Endpoint, now: Date): Delivery =>
  newDelivery(now, {
    id,
    tenant,
    target: { kind: 'webhook', webhookId },
    eventId: id,
    eventType: WEBHOOK_TEST,
    stream: webhookStream(webhookId as WebhookId),
    revision: 0,
    sequence: null,
    body: webhookBody({ eventId: id, eventType: WEBHOOK_TEST, timestamp: now.toISOString(), data: testData(webhookId) }),
  });

/** Listed in the module: the handlers of commands on deliveries. */
export const DELIVERY_COMMAND_HANDLERS = [RedeliverHandler, RedeliverSinceHandler, SendTestHandler];
