import type { CallbackRequestId, OrderId, WebhookId } from '../../domain/ids.js';
import type { Rejection } from '../../eventsourcing/decider.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import { EgressFailed, type Egress, type OutgoingRequest } from '../../ports/egress.port.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/handle.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { ClaimedWork } from '../../eventsourcing/ports/work-queue.port.js';
import type { Execute } from '../../eventsourcing/process.js';
import { openSealed } from '../../runtime/codec/sealing.js';
import type { Attempt, Delivery, DeliveryCommand, ParkedReason } from '../delivery.js';
import { findEndpoint, loadWebhook, type Endpoint } from '../endpoints.js';
import type { FailingEndpoints } from './failing-endpoints.js';
import { afterAttempt, isAcknowledged, isFinished, park } from './outcomes.js';
import { parseRetryAfter, type RetrySchedule } from './schedule.js';
import { sendNextInSequence, type DeliveryWork, type SendContext } from './send.js';
import { signedHeaders, type Destination, type SigningKeys } from '../signing/signatures.js';
import { deliveriesWithStatus } from './deliveries-with-status.js';

/** An endpoint was switched off because of what it answered. */
export type DisabledNotice = {
  readonly webhookId: string;
  readonly tenant: string;
  readonly url: string;
  readonly reason: 'gone' | 'failing';
};

/** What it takes to deliver. */
export type DeliverContext = SendContext & {
  readonly documents: Documents;
  readonly store: Pick<EventStore, 'readStream'>;
  readonly codec: ReadCodec;
  readonly keys: KeyVault;
  readonly egress: Egress;
  readonly signing: SigningKeys;
  readonly failing: FailingEndpoints;
  readonly retrying: RetrySchedule;
  readonly perform: Execute<DeliveryCommand>;
  /** "disabling with a notice". */
  readonly onDisabled: (notice: DisabledNotice) => void;
};

/**
 * A process that died may have written down what came of an attempt, and not given the work back: what is due later than
 * this many milliseconds from now is put off until then. Clocks of different machines differ by less.
 */
const EARLY = 10_000;

/**
 * Does one piece of a delivery's work: tries it once, writes down what came of it, and sees to what follows. It may be
 * done again from any point: at least once, with the same ids.
 */
export const deliver = async (delivering: DeliverContext, work: ClaimedWork): Promise<void> => {
  const asked = JSON.parse(work.data) as DeliveryWork;
  const { deliveries } = delivering;
  const delivery = (await deliveries.read(asked.delivery)) ?? (asked.made ? await deliveries.putNew(asked.made) : null);
  // Another round has begun meanwhile, and its work is another.
  if (!delivery || delivery.round !== asked.round) return void (await delivering.work.complete(work));
  const tried = isFinished(delivery) || isEarly(delivery, delivering.clock.now()) ? delivery : await tryOnce(delivering, delivery);
  if (isFinished(tried) || tried.nextAttemptAt === null) {
    await conclude(delivering, tried);
    await delivering.work.complete(work);
  } else await delivering.work.retryAt(work, new Date(tried.nextAttemptAt));
};

const isEarly = ({ nextAttemptAt }: Delivery, now: Date): boolean =>
  nextAttemptAt !== null && Date.parse(nextAttemptAt) > now.getTime() + EARLY;

const tryOnce = async (delivering: DeliverContext, delivery: Delivery): Promise<Delivery> => {
  const destination = await destinationOf(delivering, delivery);
  if (typeof destination === 'string') {
    const stopped = await delivering.deliveries.change(delivery.id, (now) => (isFinished(now) ? null : park(now, destination)));
    return stopped ?? delivery;
  }
  const { attempt, retryAfter } = await post(delivering, delivery, destination);
  const tried = await delivering.deliveries.change(delivery.id, (now) =>
    now.round === delivery.round && now.status !== 'delivered'
      ? afterAttempt(now, attempt, retryAfter, delivering.clock.now(), delivering.retrying)
      : null,
  );
  if (destination.kind === 'webhook') await judge(delivering, destination.endpoint, attempt);
  return tried ?? delivery;
};

/** Where it goes now, or why it cannot go anywhere. */
const destinationOf = async ({ documents }: DeliverContext, { target }: Delivery): Promise<Destination | ParkedReason> => {
  if (target.kind === 'callback') return target;
  const endpoint = await findEndpoint(documents, target.webhookId);
  if (!endpoint) return 'removed';
  return endpoint.status === 'enabled' ? { kind: 'webhook', endpoint } : 'disabled';
};

type Tried = { readonly attempt: Attempt; readonly retryAfter: number | null };

const post = async ({ clock, egress, keys, signing }: DeliverContext, delivery: Delivery, destination: Destination): Promise<Tried> => {
  const body = await openSealed(keys, delivery.body);
  const sentAt = clock.now();
  const url = destination.kind === 'webhook' ? destination.endpoint.url : destination.url;
  const request: OutgoingRequest = { url, body, headers: signedHeaders(signing, destination, delivery, body, sentAt) };
  const started = { at: sentAt.toISOString(), url };
  const took = (): number => clock.now().getTime() - sentAt.getTime();
  try {
    const { status, headers, body: answer } = await egress.post(request);
    const attempt = { ...started, durationMilliseconds: took(), status, ...(answer !== '' && { answer }) };
    return { attempt, retryAfter: parseRetryAfter(headers['retry-after'], clock.now()) };
  } catch (error) {
    if (!(error instanceof EgressFailed)) throw error;
    return { attempt: { ...started, durationMilliseconds: took(), fault: error.fault }, retryAfter: null };
  }
};

/** "5 days of nothing but failures disable the endpoint." */
const judge = async (delivering: DeliverContext, endpoint: Endpoint, attempt: Attempt): Promise<void> => {
  if (isAcknowledged(attempt)) await delivering.failing.succeeded(endpoint);
  else if (await delivering.failing.failed(endpoint, new Date(attempt.at))) await disable(delivering, endpoint, 'failing', attempt.url);
};

/** What follows once a delivery is over: safe to repeat. */
const conclude = async (delivering: DeliverContext, delivery: Delivery): Promise<void> => {
  const { target, sequence, status } = delivery;
  if (target.kind === 'callback') return endCallback(delivering, delivery, target.orderId, target.requestId);
  if (status === 'delivered' && sequence !== null) await sendNextInSequence(delivering, sequence);
  const last = delivery.attempts.at(-1);
  // "410 disables".
  if (delivery.parkedBecause !== 'gone' || !last) return;
  const endpoint = await findEndpoint(delivering.documents, target.webhookId);
  if (endpoint?.status === 'enabled') await disable(delivering, endpoint, 'gone', last.url);
};

const disable = async (delivering: DeliverContext, endpoint: Endpoint, reason: 'gone' | 'failing', url: string): Promise<void> => {
  const { id, tenant } = endpoint;
  const command = { type: 'DisableWebhook', data: { webhookId: id as WebhookId, reason, url } } as const;
  let refused: Rejection | null;
  // The conflicting writer changed the endpoint, so trying again ends.
  do refused = await delivering.perform(command, consequence(tenant, id));
  while (refused?.rejected === 'contended');
  // Its log says what that came to: it may have moved to another address, or its owner been faster.
  if ((await loadWebhook(delivering, id))?.disabledReason === reason) delivering.onDisabled({ webhookId: id, tenant, url, reason });
  await parkPending(delivering, id);
};

/** Each would be parked when its turn comes; parked now, a disabled endpoint's list shows it at once. */
const parkPending = async (delivering: DeliverContext, webhookId: string): Promise<void> => {
  const { deliveries } = delivering;
  for await (const { id, round } of deliveriesWithStatus(delivering, webhookId, 'pending', ({ status }) => status === 'disabled'))
    await deliveries.change(id, (now) => (now.status === 'pending' && now.round === round ? park(now, 'disabled') : null));
};

/** "delivered or parked": another callback of the order may be open now. */
const endCallback = async ({ perform }: DeliverContext, delivery: Delivery, orderId: string, requestId: string): Promise<void> => {
  const outcome = delivery.status === 'delivered' ? 'delivered' : 'parked';
  const data = { orderId: orderId as OrderId, requestId: requestId as CallbackRequestId, outcome } as const;
  const refused = await perform({ type: 'EndOrderCallback', data }, consequence(delivery.tenant, delivery.id));
  if (refused?.rejected === 'contended') throw new Error(`the callback ${requestId} found no quiet moment to end`);
};

const consequence = (tenant: string, cause: string) => ({
  tenant,
  actor: 'process:deliveries',
  correlationId: cause,
  causationId: cause,
});
