import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Work, WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import type { Delivery } from '../delivery.js';
import type { DeliveryStore } from '../delivery-store.js';
import { laneOf } from './lanes.js';

/** Deliveries to webhook endpoints; a lane is an endpoint, beneath its tenant. */
export const WEBHOOK_DELIVERIES = 'webhook-deliveries';
/** Deliveries to where an order's callback was asked for; a lane is a host, beneath its neighbourhood. */
export const CALLBACK_DELIVERIES = 'callback-deliveries';

/** What it takes to have deliveries sent. */
export type SendContext = { readonly deliveries: DeliveryStore; readonly work: WorkQueue; readonly clock: Clock };

/** What an attempt at a delivery needs to know. */
export type DeliveryWork = {
  readonly delivery: string;
  readonly round: number;
  /** The delivery itself, where it may not have been put before its process died. */
  readonly made?: Delivery;
};

/** The work that trying a round of a delivery is. */
export const workOf = ({ id, tenant, round, target }: Delivery, made?: Delivery): Work => ({
  queue: target.kind === 'webhook' ? WEBHOOK_DELIVERIES : CALLBACK_DELIVERIES,
  id: `${id}:${round}`,
  lane: laneOf(tenant, target),
  data: JSON.stringify({ delivery: id, round, ...(made && { made }) } satisfies DeliveryWork),
});

/**
 * Sees to it that a new delivery is tried, or waits for its turn: asked again, after its process died on the way, it goes
 * on from there. What is parked from the start is only written down. Answers the delivery as it stands.
 */
export const sendNew = async (sending: SendContext, made: Delivery): Promise<Delivery> => {
  const delivery = await sending.deliveries.putNew(made);
  await sendStored(sending, delivery);
  return delivery;
};

/** The same for one that is written down. */
export const sendStored = async (sending: SendContext, delivery: Delivery): Promise<void> => {
  if (delivery.status === 'pending') await sending.work.enqueue(workOf(delivery), sending.clock.now());
  if (delivery.status === 'waiting' && delivery.sequence !== null) await sendNextInSequence(sending, delivery.sequence);
};

/**
 * "`ordered: true` at registration keeps order per aggregate": tries the one whose turn it is. Both adding one and
 * ending one are first recorded and then call this; so of two at once, one sees the other.
 * One that is parked holds up those behind it until it is sent again.
 */
export const sendNextInSequence = async (sending: SendContext, sequence: string): Promise<void> => {
  const first = await sending.deliveries.firstOpen(sequence);
  if (first?.status === 'waiting') await sendWaiting(sending, first);
};

/**
 * Tries one that waits for its turn; from then on it stands in the sequence given. Its work comes first: a process that dies
 * between the two finds it waiting still.
 */
export const sendWaiting = async (
  { deliveries, work, clock }: SendContext,
  waiting: Delivery,
  { sequence }: Pick<Delivery, 'sequence'> = waiting,
): Promise<void> => {
  const now = clock.now();
  await work.enqueue(workOf(waiting), now);
  await deliveries.change(waiting.id, (delivery) =>
    delivery.status === 'waiting' && delivery.round === waiting.round
      ? { ...delivery, sequence, status: 'pending', nextAttemptAt: now.toISOString() }
      : null,
  );
};
