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
import type { ResultOf, RequestContext, View } from '../request.js';
import { CLOCK, DOCUMENTS, IDENTITIES, KEY_VAULT, WORK_QUEUE } from '../tokens.js';
import { deliveryView, redeliveryView } from './delivery-views.js';

/**
 * A request to send a delivery to a missing or disabled endpoint is rejected, because the delivery would be
 * parked at once.
 */
export type SendRejection = 'webhook_not_found' | 'webhook_disabled';

/** Returns the tenant's endpoint if deliveries can be sent to it. */
const findEnabledEndpoint = async (
  documents: Documents,
  id: string,
  { tenant }: RequestContext,
): Promise<Endpoint | Rejection<SendRejection>> => {
  const endpoint = await findEndpointOfTenant(documents, id, tenant);
  if (!endpoint) return rejected('webhook_not_found');
  return endpoint.status === 'enabled' ? endpoint : rejected('webhook_disabled');
};

/**
 * Sends one delivery again, with the same id. Returns the delivery as it will be once the worker has started
 * to send it.
 */
export class Redeliver extends Command<View | Rejection<SendRejection | 'delivery_not_found'>> {
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

  /** Only enqueues the work. A worker updates and sends the delivery, and repeats this after a crash. */
  async execute({ webhookId, id, request }: Redeliver): Promise<ResultOf<Redeliver>> {
    const endpoint = await findEnabledEndpoint(this.documents, webhookId, request);
    if (isRejection(endpoint)) return endpoint;
    const stored = await new DeliveryStore(this.documents).find(id);
    if (!stored || ownerOf(stored.delivery) !== webhookId) return rejected('delivery_not_found');
    const { id: redeliveryId } = this.identities.of(`redeliverWebhookDelivery:${id}`, request, { webhookId, id });
    const now = this.clock.now();
    const work = redeliveryWork(redeliveryId, laneOfEndpoint(endpoint), { kind: 'one', delivery: id, redeliveryId });
    // A repeated request with the same Idempotency-Key changes nothing.
    if (!(await this.work.enqueue(work, now))) return deliveryView(this.keys, stored.delivery, stored.revision);
    return deliveryView(this.keys, startNewRound(stored.delivery, redeliveryId, null, now), stored.revision + 1);
  }
}

/** A time range: ISO 8601. `until` defaults to now. */
export type RedeliveryInput = { readonly since: string; readonly until?: string };

/**
 * Sends to an endpoint all events between `since` and `until` that it subscribes to, again or, for events
 * before its registration, for the first time. Rejected while another redelivery for the endpoint is running.
 */
export class RedeliverSince extends Command<
  View | Rejection<SendRejection | 'stretch_not_begun' | 'redelivery_running' | 'idempotency_key_reused'>
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

  async execute({ webhookId, input, request }: RedeliverSince): Promise<ResultOf<RedeliverSince>> {
    const { id, bodyDigest } = this.identities.of('redeliverToWebhook', request, { webhookId, ...input });
    // A replay comes before all checks, because the endpoint may have been disabled since.
    const known = await this.redeliveries.find(id);
    if (known) {
      if (known.redelivery.status === 'running') await this.enqueue(known.redelivery);
      return viewOf(known, bodyDigest);
    }
    const endpoint = await findEnabledEndpoint(this.documents, webhookId, request);
    if (isRejection(endpoint)) return endpoint;
    const createdAt = this.clock.now().toISOString();
    if (input.since > createdAt) return rejected('stretch_not_begun');
    const requested: Redelivery = {
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
    const started = (await this.redeliveries.start(requested)) ?? (await this.redeliveries.find(id));
    // If another request's redelivery is running, it is enqueued again: the process of that request may have
    // crashed before the enqueue.
    const running = started ? started.redelivery : await this.redeliveries.findRunning(webhookId);
    if (running) await this.enqueue(running);
    return started ? viewOf(started, bodyDigest) : rejected('redelivery_running');
  }

  private async enqueue(running: Redelivery): Promise<void> {
    await this.work.enqueue(rangeWork(running), this.clock.now());
  }
}

const viewOf = ({ redelivery, revision }: StoredRedelivery, bodyDigest: string | undefined): ResultOf<RedeliverSince> =>
  redelivery.bodyDigest === bodyDigest ? redeliveryView(redelivery, revision) : rejected('idempotency_key_reused');

/** Sends a `webhook.test` to an endpoint. Returns its delivery. */
export class SendTest extends Command<View | Rejection<SendRejection>> {
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

  async execute({ webhookId, request }: SendTest): Promise<ResultOf<SendTest>> {
    const endpoint = await findEnabledEndpoint(this.documents, webhookId, request);
    if (isRejection(endpoint)) return endpoint;
    const { id } = this.identities.of(`testWebhook:${webhookId}`, request, { webhookId });
    const now = this.clock.now();
    const delivery = testDelivery(id, endpoint, now);
    // The work contains the whole delivery, so a worker can store and send it after a crash of this process.
    await this.work.enqueue(workOf(delivery, delivery), now);
    return deliveryView(this.keys, await new DeliveryStore(this.documents).putNew(delivery), 0);
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

/** The command handlers of deliveries, for the module. */
export const DELIVERY_COMMAND_HANDLERS = [RedeliverHandler, RedeliverSinceHandler, SendTestHandler];
