import type { CallbackRequestId, OrderId, WebhookId } from '../../domain/ids.js';
import type { Rejection } from '../../eventsourcing/decider.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { DeliveryOutcome, Metrics } from '../../ports/metrics.port.js';
import { EgressFailed, type Egress, type OutgoingRequest } from '../../ports/egress.port.js';
import type { DocumentFolds } from '../announce/event-context.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { continueTrace, inSpan, type SpanEnd, type Tracing } from '../../eventsourcing/ports/tracing.port.js';
import type { ClaimedWork } from '../../eventsourcing/ports/work-queue.port.js';
import type { Execute } from '../../eventsourcing/process.js';
import type { Personal } from '../../eventsourcing/sealed.js';
import { openSealed, sealText, subjectsIn } from '../../runtime/codec/sealing.js';
import type { Attempt, Delivery, DeliveryCommand, ParkedReason } from '../delivery.js';
import { findEndpoint, loadWebhook, type Endpoint } from '../endpoints.js';
import type { FailingEndpoints } from './failing-endpoints.js';
import { afterAttempt, isAcknowledged, isFinished, park, pauseOf, parseRetryAfter, type RetrySchedule } from './outcomes.js';
import { sendNextInSequence, type DeliveryWork, type SendContext } from './send.js';
import { signedHeaders, type Destination, type SigningKeys } from '../signing.js';
import { deliveriesWithStatus } from '../delivery-store.js';

/** Reports that the service disabled an endpoint: after a response 410, or after five days of failures (contract 20.6). */
export type DisabledNotice = {
  readonly webhookId: string;
  readonly tenant: string;
  readonly url: string;
  readonly reason: 'gone' | 'failing';
};

/** The ports that an attempt needs in addition to those of announcing. */
export type AttemptPorts = {
  readonly keys: KeyVault;
  readonly egress: Egress;
  readonly signing: SigningKeys;
  readonly retrying: RetrySchedule;
  readonly execute: Execute<DeliveryCommand>;
  /** Called when the service disables an endpoint (contract 20.6). */
  readonly onDisabled: (notice: DisabledNotice) => void;
  /** Counts attempts and parked deliveries. Default: they are not counted. */
  readonly metrics?: Pick<Metrics, 'deliveryAttempted'>;
  readonly tracing?: Tracing;
};

/** The dependencies of an attempt. */
export type DeliverContext = SendContext &
  AttemptPorts & {
    readonly documents: Documents;
    readonly folds: DocumentFolds;
    readonly failing: FailingEndpoints;
  };

/**
 * Performs claimed delivery work: makes an attempt, stores its result and handles the consequences. Can be called again after a
 * crash at any point. The receiver may then get the message twice, with the same ids.
 */
export const deliver = async (context: DeliverContext, work: ClaimedWork): Promise<void> => {
  const request = JSON.parse(work.data) as DeliveryWork;
  const { deliveries } = context;
  const delivery = (await deliveries.readEvenIfDeleted(request.delivery)) ?? (request.made ? await deliveries.putNew(request.made) : null);
  // If the round differs, a redelivery has started another round, which has its own work.
  if (!delivery || delivery.round !== request.round) return void (await context.work.complete(work));
  const start = { name: `deliver ${delivery.eventType}`, kind: 'client', attributes: { 'petstore.target': delivery.target.kind } } as const;
  const isAttempted = delivery.failures > (request.failures ?? 0) + work.retries;
  const perform = (traceparent: string | undefined) => performWork(continueIn(context, traceparent), work, delivery, isAttempted);
  await inSpan(context.tracing, delivery.traceparent, start, perform, endOf);
};

/** Makes the commands of a delivery continue the trace of its attempt. */
const continueIn = (context: DeliverContext, traceparent: string | undefined): DeliverContext => ({
  ...context,
  execute: (command, of) => context.execute(command, continueTrace(of, traceparent)),
});

const endOf = ({ status, parkedBecause, attempts }: Delivery): SpanEnd => {
  const statusCode = attempts.at(-1)?.status;
  const outcome = parkedBecause ?? (status === 'delivered' ? status : 'failed');
  const attributes = { 'petstore.outcome': outcome, ...(statusCode !== undefined && { 'http.response.status_code': statusCode }) };
  return { attributes, failed: outcome !== 'delivered' };
};

/**
 * Makes an attempt, then completes or reschedules the work. Returns the delivery as it is stored afterwards. `isAttempted`: a process
 * has stored an attempt and crashed before it rescheduled the work, so that the next attempt is not due yet.
 */
const performWork = async (context: DeliverContext, work: ClaimedWork, delivery: Delivery, isAttempted: boolean): Promise<Delivery> => {
  const current = isFinished(delivery) || isAttempted ? delivery : await attemptOnce(context, delivery);
  if (isFinished(current)) {
    await handleFinished(context, current);
    await context.work.complete(work);
  } else await context.work.retryAfter(work, pauseOf(current));
  return current;
};

const attemptOnce = async (context: DeliverContext, delivery: Delivery): Promise<Delivery> => {
  const destination = await findDestination(context, delivery);
  if (typeof destination === 'string') {
    const parked = await context.deliveries.change(delivery.id, (current) => (isFinished(current) ? null : park(current, destination)));
    if (parked) context.metrics?.deliveryAttempted(delivery.target.kind, destination);
    return parked ?? delivery;
  }
  const { attempt, retryAfter } = await post(context, delivery, destination);
  const attempted = await context.deliveries.change(delivery.id, (current) =>
    current.round === delivery.round && current.status !== 'delivered'
      ? afterAttempt(current, attempt, retryAfter, context.retrying)
      : null,
  );
  context.metrics?.deliveryAttempted(destination.kind, outcomeOf(attempt, attempted));
  if (destination.kind === 'webhook') await trackFailures(context, destination.endpoint, attempt);
  return attempted ?? delivery;
};

const outcomeOf = (attempt: Attempt, attempted: Delivery | null): DeliveryOutcome =>
  isAcknowledged(attempt) ? 'delivered' : (attempted?.parkedBecause ?? 'failed');

/** Returns the current destination of a delivery, or the reason to park the delivery. */
const findDestination = async ({ documents }: DeliverContext, { target }: Delivery): Promise<Destination | ParkedReason> => {
  if (target.kind === 'callback') return target;
  const endpoint = await findEndpoint(documents, target.webhookId);
  if (!endpoint) return 'removed';
  return endpoint.status === 'enabled' ? { kind: 'webhook', endpoint } : 'disabled';
};

type AttemptResult = { readonly attempt: Attempt; readonly retryAfter: number | null };

const post = async (
  { clock, egress, keys, signing }: DeliverContext,
  delivery: Delivery,
  destination: Destination,
): Promise<AttemptResult> => {
  const body = await openSealed(keys, delivery.body);
  const sentAt = clock.now();
  const url = destination.kind === 'webhook' ? destination.endpoint.url : destination.url;
  const request: OutgoingRequest = { url, body, headers: signedHeaders(signing, destination, delivery, body, sentAt) };
  const started = { at: sentAt.toISOString(), url };
  const startedAt = clock.elapsed();
  const duration = (): number => clock.elapsed() - startedAt;
  try {
    const { status, headers, body: answer } = await egress.post(request);
    const stored = answer !== '' && { answer: await sealAnswer(keys, delivery, answer) };
    const attempt = { ...started, durationMilliseconds: duration(), status, ...stored };
    return { attempt, retryAfter: parseRetryAfter(headers['retry-after'], clock.now()) };
  } catch (error) {
    if (!(error instanceof EgressFailed)) throw error;
    return { attempt: { ...started, durationMilliseconds: duration(), fault: error.fault }, retryAfter: null };
  }
};

/**
 * Encrypts the answer of a receiver with the keys of all persons whose data the body had (contract 23.7). The receiver may send
 * back what it received.
 */
const sealAnswer = async (keys: KeyVault, { id, body }: Delivery, answer: string): Promise<Personal> => {
  const subject = subjectsIn(body);
  // Each text needs its own nonce. Two processes may make the same attempt and get different answers, so the id of the delivery
  // alone is not enough.
  return subject.length === 0 ? answer : sealText(keys, subject, answer, `${id} ${answer}`);
};

/** Records whether an attempt failed. Disables an endpoint whose attempts have all failed for 5 days (contract 20.6). */
const trackFailures = async (context: DeliverContext, endpoint: Endpoint, attempt: Attempt): Promise<void> => {
  if (isAcknowledged(attempt)) await context.failing.recordSuccess(endpoint);
  else if (await context.failing.recordFailure(endpoint, new Date(attempt.at))) await disable(context, endpoint, 'failing', attempt.url);
};

/**
 * Handles the end of a delivery's attempts: ends a callback, sends the next delivery of a sequence, or disables an endpoint. Can
 * be called again after a crash.
 */
const handleFinished = async (context: DeliverContext, delivery: Delivery): Promise<void> => {
  const { target, sequence, status } = delivery;
  if (target.kind === 'callback') return endCallback(context, delivery, target.orderId, target.requestId);
  if (status === 'delivered' && sequence !== null) await sendNextInSequence(context, sequence);
  const last = delivery.attempts.at(-1);
  // The response 410 disables the endpoint (contract 20.6).
  if (delivery.parkedBecause !== 'gone' || !last) return;
  const endpoint = await findEndpoint(context.documents, target.webhookId);
  if (endpoint?.status === 'enabled') await disable(context, endpoint, 'gone', last.url);
};

const disable = async (context: DeliverContext, endpoint: Endpoint, reason: 'gone' | 'failing', url: string): Promise<void> => {
  const { id, tenant } = endpoint;
  const command = { type: 'DisableWebhook', data: { webhookId: id as WebhookId, reason, url } } as const;
  let rejection: Rejection | null;
  // A conflict (`contended`) means that the endpoint was changed at the same time. Such changes are few, so the loop ends.
  do rejection = await context.execute(command, commandContextFor(tenant, id));
  while (rejection?.rejected === 'contended');
  // The command does nothing if the URL has changed or the client has disabled the endpoint. The endpoint's reason, read from the
  // event log, shows whether the command has disabled it.
  if ((await loadWebhook(context.folds, id))?.disabledReason === reason) context.onDisabled({ webhookId: id, tenant, url, reason });
  await parkPending(context, id);
};

/**
 * Parks all pending deliveries of a disabled endpoint now. Without this call, each delivery would stay pending until its next
 * attempt is due.
 */
const parkPending = async (context: DeliverContext, webhookId: string): Promise<void> => {
  const { deliveries, metrics } = context;
  for await (const { id, round } of deliveriesWithStatus(context, webhookId, 'pending', ({ status }) => status === 'disabled')) {
    const parked = await deliveries.change(id, (current) =>
      current.status === 'pending' && current.round === round ? park(current, 'disabled') : null,
    );
    if (parked) metrics?.deliveryAttempted('webhook', 'disabled');
  }
};

/** Records the outcome of a callback. The order can then have another open callback (contract 17.3). */
const endCallback = async ({ execute }: DeliverContext, delivery: Delivery, orderId: string, requestId: string): Promise<void> => {
  const outcome = delivery.status === 'delivered' ? 'delivered' : 'parked';
  const data = { orderId: orderId as OrderId, requestId: requestId as CallbackRequestId, outcome } as const;
  const rejection = await execute({ type: 'EndOrderCallback', data }, commandContextFor(delivery.tenant, delivery.id));
  if (rejection?.rejected === 'contended')
    throw new Error(`could not record the outcome of callback ${requestId} after repeated conflicts`);
};

const commandContextFor = (tenant: string, cause: string) => ({
  tenant,
  actor: 'process:deliveries',
  correlationId: cause,
  causationId: cause,
});
