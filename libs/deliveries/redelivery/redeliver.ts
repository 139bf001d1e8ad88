import { WEBHOOK_TEST } from '../../contracts/webhook-contract.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import { BrokenHistory } from '../../eventsourcing/history.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import type { ClaimedWork } from '../../eventsourcing/ports/work-queue.port.js';
import { isSkippedBy } from '../../eventsourcing/projection.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { ANNOUNCEMENTS } from '../announce/announcements.js';
import { deliveriesFor, sequenceOfStream, sequenceOf, type AnnounceContext } from '../announce/announcer.js';
import type { Delivery } from '../delivery.js';
import { HistoryReader } from '../../runtime/codec/history-reader.js';
import { findEndpoint, type Endpoint } from '../endpoints.js';
import { startNewRound } from '../dispatch/outcomes.js';
import { positionBefore } from './positions-by-time.js';
import type { RedeliveryStore, StoredRedelivery, RedeliveryWork } from './redelivery.js';
import { release } from './release.js';
import { sendStored, sendNextInSequence } from '../dispatch/send.js';

/** The dependencies of redeliveries. */
export type RedeliverContext = AnnounceContext & {
  readonly documents: Documents;
  readonly redeliveries: RedeliveryStore;
  /** Aborts when this process stops; another process then continues a long redelivery. */
  readonly stopping: AbortSignal;
};

/** The number of events that are read before the position is stored. */
const PAGE = 200;

/** The maximum difference between the clocks of different machines, in milliseconds. */
export const CLOCK_TOLERANCE = 5 * 60_000;

/** Performs the work of a redelivery request. Can be called again after a crash at any point. */
export const redeliver = async (context: RedeliverContext, work: ClaimedWork): Promise<void> => {
  const request = JSON.parse(work.data) as RedeliveryWork;
  if (request.kind === 'one') {
    if (request.stored) await context.deliveries.restore(request.stored, request.redeliveryId);
    await sendAgain(context, request.delivery, request.redeliveryId);
  }
  if (request.kind === 'release') await release(context, request.webhookId);
  if (request.kind === 'stretch' && !(await redeliverRange(context, work, await context.redeliveries.putNew(request.made)))) return;
  await context.work.complete(work);
};

/** Starts a new round of a delivery, once per request. */
const sendAgain = async (context: RedeliverContext, id: string, redeliveryId: string): Promise<void> => {
  const { deliveries, documents, clock } = context;
  const target = (await deliveries.read(id))?.target;
  const endpoint = target?.kind === 'webhook' ? await findEndpoint(documents, target.webhookId) : null;
  const delivery = await deliveries.change(id, (current) => {
    if (!endpoint || current.redeliveryId === redeliveryId) return null;
    // A test delivery belongs to no aggregate and has no sequence.
    const sequence = current.eventType === WEBHOOK_TEST ? null : sequenceOf(endpoint, current.stream);
    return startNewRound(current, redeliveryId, sequence, clock.now());
  });
  if (delivery?.redeliveryId !== redeliveryId) return;
  await sendStored(context, delivery);
  // If the endpoint is no longer ordered, the delivery has left its sequence, so it no longer blocks the next delivery there.
  if (endpoint) await sendNextInSequence(context, sequenceOfStream(endpoint, delivery.stream));
};

/** Redelivers the events of a time range, page by page. Returns false if this process stops before the end of the range. */
const redeliverRange = async (context: RedeliverContext, work: ClaimedWork, started: StoredRedelivery): Promise<boolean> => {
  const { store, codec, redeliveries, documents, stopping } = context;
  const { since, until, webhookId } = started.redelivery;
  // The clocks of the machines that recorded the events may differ. So reading begins before `since` and ends after `until`.
  const endAt = addTime(until, CLOCK_TOLERANCE);
  const history = new HistoryReader({ store, codec });
  let current = started;
  let position = started.redelivery.position ?? (await positionBefore(context, addTime(since, -CLOCK_TOLERANCE)));
  while (current.redelivery.status === 'running') {
    if (stopping.aborted) {
      await context.work.retryAfter(work, 0);
      return false;
    }
    const endpoint = await findEndpoint(documents, webhookId);
    const stored = await store.readAll(position, PAGE);
    // Events of a broken stream are not sent. The process that found the fault has logged it.
    const { events } = await history.read(stored);
    const isInRange = ({ meta }: RecordedEvent): boolean =>
      meta.time >= since && meta.time <= until && meta.tenant === started.redelivery.tenant;
    const selected = events.filter((event) => isInRange(event) && !isSkippedBy(ANNOUNCEMENTS, event));
    const sent = endpoint ? await redeliverEvents(context, endpoint, selected, started.redelivery.id) : 0;
    position = stored.at(-1)?.position ?? position;
    // A page without any readable event does not end the range.
    const isBeforeEnd = stored.length > 0 && (events.at(-1)?.meta.time ?? '') <= endAt;
    const status = endpoint && isBeforeEnd ? 'running' : 'done';
    const deliveries = current.redelivery.deliveries + sent;
    current = await redeliveries.replace(current, { ...current.redelivery, status, position, deliveries });
  }
  return true;
};

/**
 * Sends the `events` that an endpoint subscribes to, even those that were sent before. Returns the number of deliveries.
 */
const redeliverEvents = async (
  context: RedeliverContext,
  endpoint: Endpoint,
  events: readonly RecordedEvent[],
  redeliveryId: string,
): Promise<number> => {
  let sent = 0;
  for (const event of events) {
    for (const delivery of await readableDeliveries(context, endpoint, event)) {
      // A delivery that does not exist yet is stored as parked, so that only `sendAgain` causes an attempt.
      await context.deliveries.restore({ ...delivery, status: 'parked', nextAttemptAt: null }, redeliveryId);
      await sendAgain(context, delivery.id, redeliveryId);
      sent++;
      await yieldToEventLoop();
    }
  }
  return sent;
};

/**
 * Builds the deliveries of an event. Stops before the first delivery that needs a resource with a broken stream.
 */
const readableDeliveries = async (context: RedeliverContext, endpoint: Endpoint, event: RecordedEvent): Promise<readonly Delivery[]> => {
  const deliveries: Delivery[] = [];
  try {
    for await (const delivery of deliveriesFor(context, endpoint, event)) deliveries.push(delivery);
  } catch (error) {
    if (!(error instanceof BrokenHistory)) throw error;
  }
  return deliveries;
};

const addTime = (time: string, milliseconds: number): string => new Date(Date.parse(time) + milliseconds).toISOString();
