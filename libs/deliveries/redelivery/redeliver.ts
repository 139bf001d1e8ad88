import { WEBHOOK_TEST } from '../../contracts/webhook-contract.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import { BrokenHistory } from '../../eventsourcing/history.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import type { ClaimedWork } from '../../eventsourcing/ports/work-queue.port.js';
import { turn } from '../../eventsourcing/turn.js';
import { deliveriesFor, sequenceName, sequenceOf, type AnnounceContext } from '../announce/announcer.js';
import type { Delivery } from '../delivery.js';
import { HistoryReader } from '../../runtime/codec/history-reader.js';
import { findEndpoint, type Endpoint } from '../endpoints.js';
import { startNewRound } from '../dispatch/outcomes.js';
import { positionBefore } from './positions-by-time.js';
import type { RedeliveryStore, StoredRedelivery, RedeliveryWork } from './redelivery.js';
import { release } from './release.js';
import { sendStored, sendNextInSequence } from '../dispatch/send.js';

/** What it takes to send things once more. */
export type RedeliverContext = AnnounceContext & {
  readonly documents: Documents;
  readonly redeliveries: RedeliveryStore;
  /** Aborts when this process is to end: a long stretch goes on elsewhere. */
  readonly stopping: AbortSignal;
};

/** Events looked at between two notes of how far it is. */
const PAGE = 200;

/** By how much the clocks of different machines may differ. */
export const CLOCK_TOLERANCE = 5 * 60_000;

/** Does what a request for redelivery asks; it may be done again from any point. */
export const redeliver = async (redelivering: RedeliverContext, work: ClaimedWork): Promise<void> => {
  const asked = JSON.parse(work.data) as RedeliveryWork;
  if (asked.kind === 'one') await sendAgain(redelivering, asked.delivery, asked.redeliveryId);
  else if (asked.kind === 'release') await release(redelivering, asked.webhookId);
  else if (!(await sendStretch(redelivering, work, await redelivering.redeliveries.putNew(asked.made)))) return;
  await redelivering.work.complete(work);
};

/** Sends a delivery from its first attempt on, once for each request. */
const sendAgain = async (redelivering: RedeliverContext, id: string, redeliveryId: string): Promise<void> => {
  const { deliveries, documents, clock } = redelivering;
  const target = (await deliveries.read(id))?.target;
  const endpoint = target?.kind === 'webhook' ? await findEndpoint(documents, target.webhookId) : null;
  const delivery = await deliveries.change(id, (known) => {
    if (!endpoint || known.redeliveryId === redeliveryId) return null;
    // A test tells of nothing that has an order.
    const sequence = known.eventType === WEBHOOK_TEST ? null : sequenceOf(endpoint, known.stream);
    return startNewRound(known, redeliveryId, sequence, clock.now());
  });
  if (delivery?.redeliveryId !== redeliveryId) return;
  await sendStored(redelivering, delivery);
  // It may have stood in a sequence that its endpoint asks for no more: it holds up nothing there now.
  if (endpoint) await sendNextInSequence(redelivering, sequenceName(endpoint, delivery.stream));
};

/** Goes through the log of that time, page by page; answers whether it came to the end. */
const sendStretch = async (redelivering: RedeliverContext, work: ClaimedWork, begun: StoredRedelivery): Promise<boolean> => {
  const { store, codec, redeliveries, documents, stopping } = redelivering;
  const { since, until, webhookId } = begun.redelivery;
  const endAt = later(until, CLOCK_TOLERANCE);
  const history = new HistoryReader({ store, codec });
  let kept = begun;
  let position = begun.redelivery.position ?? (await positionBefore(redelivering, later(since, -CLOCK_TOLERANCE)));
  while (kept.redelivery.status === 'running') {
    if (stopping.aborted) {
      await redelivering.work.retryAt(work, redelivering.clock.now());
      return false;
    }
    const endpoint = await findEndpoint(documents, webhookId);
    const stored = await store.readAll(position, PAGE);
    // Nothing of a broken stream is sent; the process that found it has logged it.
    const { events } = await history.read(stored);
    const wanted = events.filter(({ meta }) => meta.time >= since && meta.time <= until && meta.tenant === begun.redelivery.tenant);
    const sent = endpoint ? await sendAll(redelivering, endpoint, wanted, begun.redelivery.id) : 0;
    position = stored.at(-1)?.position ?? position;
    const isBeforeEnd = stored.length > 0 && (events.at(-1)?.meta.time ?? '') <= endAt;
    const status = endpoint && isBeforeEnd ? 'running' : 'done';
    kept = await redeliveries.replace(kept, { ...kept.redelivery, status, position, deliveries: kept.redelivery.deliveries + sent });
  }
  return true;
};

/** Sends what an endpoint asks for of some events, whether or not it was sent before; answers how many deliveries that are. */
const sendAll = async (
  redelivering: RedeliverContext,
  endpoint: Endpoint,
  events: readonly RecordedEvent[],
  redeliveryId: string,
): Promise<number> => {
  let sent = 0;
  for (const event of events) {
    for (const delivery of await deliveriesOf(redelivering, endpoint, event)) {
      await redelivering.deliveries.putNew({ ...delivery, status: 'parked', nextAttemptAt: null });
      await sendAgain(redelivering, delivery.id, redeliveryId);
      sent++;
      await turn();
    }
  }
  return sent;
};

/** None where a resource that the message shows is broken. */
const deliveriesOf = async (redelivering: RedeliverContext, endpoint: Endpoint, event: RecordedEvent): Promise<readonly Delivery[]> => {
  const deliveries: Delivery[] = [];
  try {
    for await (const delivery of deliveriesFor(redelivering, endpoint, event)) deliveries.push(delivery);
  } catch (error) {
    if (!(error instanceof BrokenHistory)) throw error;
  }
  return deliveries;
};

const later = (time: string, milliseconds: number): string => new Date(Date.parse(time) + milliseconds).toISOString();
