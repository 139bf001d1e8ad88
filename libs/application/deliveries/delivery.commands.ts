import { WEBHOOK_TEST, webhookBody } from '../../contracts/webhook-contract.js';
import { testData } from '../../contracts/webhooks.js';
import { newDelivery, targetIdOf, type Delivery } from '../../deliveries/delivery.js';
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
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import { RequestCommand, type ResultOf, type RequestContext, type View } from '../request.js';
import { deliveryView, redeliveryView } from './delivery-views.js';
import type { CommandPorts, Ports } from '../command-ports.js';

/** Why an endpoint can get no delivery: the endpoint is missing or disabled. Each delivery to it would be parked at once. */
export type SendRejection = 'webhook_not_found' | 'webhook_disabled';

type SendingPorts = Ports<'documents' | 'keys' | 'work' | 'identities' | 'clock'>;

/** Returns the tenant's endpoint, or why no delivery can be sent to it. */
export const findEnabledEndpoint = async (
  documents: Documents,
  id: string,
  { tenant }: Pick<RequestContext, 'tenant'>,
): Promise<Endpoint | Rejection<SendRejection>> => {
  const endpoint = await findEndpointOfTenant(documents, id, tenant);
  if (!endpoint) return rejected('webhook_not_found');
  return endpoint.status === 'enabled' ? endpoint : rejected('webhook_disabled');
};

/**
 * Requests that a worker sends one delivery again, with the same id. Returns the delivery as it will be once the worker has
 * started to send it.
 */
export class Redeliver extends RequestCommand<'Redeliver', View | Rejection<SendRejection | 'delivery_not_found'>> {
  constructor(
    readonly webhookId: string,
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** Only enqueues the work. If a worker crashes before the work is done, the work runs again. */
export const redeliver = async (ports: SendingPorts, { webhookId, id, request }: Redeliver): Promise<ResultOf<Redeliver>> => {
  const endpoint = await findEnabledEndpoint(ports.documents, webhookId, request);
  if (isRejection(endpoint)) return endpoint;
  const stored = await new DeliveryStore(ports.documents).find(id);
  if (!stored || targetIdOf(stored.delivery) !== webhookId) return rejected('delivery_not_found');
  const { id: redeliveryId } = ports.identities.of(`redeliverWebhookDelivery:${id}`, request, { webhookId, id });
  const now = ports.clock.now();
  // A repeated request with the same Idempotency-Key changes nothing.
  if (!(await enqueueRedelivery(ports.work, endpoint, stored.delivery, redeliveryId)))
    return deliveryView(ports.keys, stored.delivery, stored.revision);
  return deliveryView(ports.keys, startNewRound(stored.delivery, redeliveryId, null, now), stored.revision + 1);
};

/** Lets a worker send a delivery to its endpoint again. Returns false if a redelivery with this id was enqueued before. */
export const enqueueRedelivery = (
  work: CommandPorts['work'],
  endpoint: Endpoint,
  stored: Delivery,
  redeliveryId: string,
): Promise<boolean> =>
  work.enqueue(redeliveryWork(redeliveryId, laneOfEndpoint(endpoint), { kind: 'one', delivery: stored.id, redeliveryId, stored }));

/** A time range in ISO 8601. By default, `until` is the time of the request. */
export type RedeliveryInput = { readonly since: string; readonly until?: string };

/**
 * Sends all events between `since` and `until` to which the endpoint subscribes. Events from before the endpoint's registration
 * are sent for the first time, and later events again. The command is rejected while another redelivery for the endpoint runs.
 */
export class RedeliverSince extends RequestCommand<
  'RedeliverSince',
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

export const redeliverSince = async (
  ports: Ports<'documents' | 'work' | 'identities' | 'clock'>,
  { webhookId, input, request }: RedeliverSince,
): Promise<ResultOf<RedeliverSince>> => {
  const redeliveries = new RedeliveryStore(ports.documents);
  const { id, bodyDigest } = ports.identities.of('redeliverToWebhook', request, { webhookId, ...input });
  // A repeated request does not check the endpoint, which may have been disabled since the first request.
  const existing = await redeliveries.find(id);
  if (existing) {
    if (existing.redelivery.status === 'running') await enqueue(ports, existing.redelivery);
    return viewOf(existing, bodyDigest);
  }
  const endpoint = await findEnabledEndpoint(ports.documents, webhookId, request);
  if (isRejection(endpoint)) return endpoint;
  const createdAt = ports.clock.now().toISOString();
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
  const started = (await redeliveries.start(requested)) ?? (await redeliveries.find(id));
  // A running redelivery of another request is enqueued again: the process of that request may have crashed before
  // the enqueue.
  const running = started ? started.redelivery : await redeliveries.findRunning(webhookId);
  if (running) await enqueue(ports, running);
  return started ? viewOf(started, bodyDigest) : rejected('redelivery_running');
};

const enqueue = async ({ work }: Ports<'work'>, running: Redelivery): Promise<void> => {
  await work.enqueue(rangeWork(running));
};

const viewOf = ({ redelivery, revision }: StoredRedelivery, bodyDigest: string | undefined): ResultOf<RedeliverSince> =>
  redelivery.bodyDigest === bodyDigest ? redeliveryView(redelivery, revision) : rejected('idempotency_key_reused');

/** Sends the event `webhook.test` to an endpoint. Returns the delivery of the event. */
export class SendTest extends RequestCommand<'SendTest', View | Rejection<SendRejection>> {
  constructor(
    readonly webhookId: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

export const sendTest = async (ports: SendingPorts, { webhookId, request }: SendTest): Promise<ResultOf<SendTest>> => {
  const endpoint = await findEnabledEndpoint(ports.documents, webhookId, request);
  if (isRejection(endpoint)) return endpoint;
  const { id } = ports.identities.of(`testWebhook:${webhookId}`, request, { webhookId });
  const now = ports.clock.now();
  const delivery = testDelivery(id, endpoint, now);
  // The work contains the whole delivery, so a worker can store and send it after a crash of this process.
  await ports.work.enqueue(workOf(delivery, delivery));
  const stored = await new DeliveryStore(ports.documents).putNew(delivery);
  // The request may repeat an earlier one whose delivery was deleted since. The response then shows the delivery as new.
  return deliveryView(ports.keys, stored.deletedAt === undefined ? stored : delivery, 0);
};

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
