import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Work, WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import type { Delivery } from '../delivery.js';
import type { DeliveryStore } from '../delivery-store.js';
import { laneOf } from './lanes.js';
import { pauseOf } from './outcomes.js';

/** The queue of deliveries to webhook endpoints. Its lanes (see `Work.lane`) are the endpoints, grouped by tenant. */
export const WEBHOOK_DELIVERIES = 'webhook-deliveries';
/** The queue of order callbacks. Its lanes are the hosts, grouped by domain. */
export const CALLBACK_DELIVERIES = 'callback-deliveries';

/** The dependencies of sending deliveries. */
export type SendContext = { readonly deliveries: DeliveryStore; readonly work: WorkQueue; readonly clock: Clock };

/** The data of delivery work. */
export type DeliveryWork = {
  readonly delivery: string;
  readonly round: number;
  /** Number of failures of the round before this work was made. Absent for 0. Only a copied delivery has such failures. */
  readonly failures?: number;
  /** The delivery itself, if it may not be stored yet. Then the worker stores it before the first attempt. */
  readonly made?: Delivery;
};

/** Builds the work for the current round of a delivery. If the delivery may not be stored yet, pass it as `made` too. */
export const workOf = ({ id, tenant, round, target, failures }: Delivery, made?: Delivery): Work => ({
  queue: target.kind === 'webhook' ? WEBHOOK_DELIVERIES : CALLBACK_DELIVERIES,
  id: `${id}:${round}`,
  lane: laneOf(tenant, target),
  data: JSON.stringify({ delivery: id, round, ...(failures > 0 && { failures }), ...(made && { made }) } satisfies DeliveryWork),
});

/**
 * Stores a new delivery and calls `sendStored`. Can be called again after a crash. Returns the stored delivery.
 */
export const storeAndSend = async (context: SendContext, made: Delivery): Promise<Delivery> => {
  const delivery = await context.deliveries.putNew(made);
  await sendStored(context, delivery);
  return delivery;
};

/** Enqueues the work of a pending delivery. For a waiting delivery, sends the next delivery of its sequence. */
export const sendStored = async (context: SendContext, delivery: Delivery): Promise<void> => {
  if (delivery.status === 'pending') await context.work.enqueue(workOf(delivery), remainingPause(delivery, context.clock.now()));
  if (delivery.status === 'waiting' && delivery.sequence !== null) await sendNextInSequence(context, delivery.sequence);
};

/** Returns the milliseconds until the next attempt of a pending delivery: at most its pause, whatever the clock of this process shows. */
const remainingPause = (delivery: Delivery, now: Date): number => {
  const left = delivery.nextAttemptAt === null ? 0 : Date.parse(delivery.nextAttemptAt) - now.getTime();
  return Math.min(Math.max(0, left), pauseOf(delivery));
};

/**
 * Sends the first undelivered delivery of a sequence, if it is waiting. If it is pending or parked, it blocks the later
 * deliveries (contract 20.8). Callers must store their own change of a delivery before this call. Then at least one of two
 * concurrent callers sees both changes, and sends the next delivery.
 */
export const sendNextInSequence = async (context: SendContext, sequence: string): Promise<void> => {
  const first = await context.deliveries.findNextInSequence(sequence);
  if (first?.status === 'waiting') await sendWaiting(context, first);
};

/**
 * Enqueues the work of a waiting delivery, then makes the delivery pending. The delivery also gets the given `sequence`: null if
 * the endpoint is no longer ordered. After a crash between the two steps, the delivery is still waiting, and a later call
 * repeats both steps.
 */
export const sendWaiting = async (
  { deliveries, work, clock }: SendContext,
  waiting: Delivery,
  { sequence }: Pick<Delivery, 'sequence'> = waiting,
): Promise<void> => {
  const now = clock.now();
  await work.enqueue(workOf(waiting));
  await deliveries.change(waiting.id, (delivery) =>
    delivery.status === 'waiting' && delivery.round === waiting.round
      ? { ...delivery, sequence, status: 'pending', nextAttemptAt: now.toISOString() }
      : null,
  );
};
