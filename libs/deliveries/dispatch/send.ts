import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Work, WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import type { Delivery } from '../delivery.js';
import type { DeliveryStore } from '../delivery-store.js';
import { laneOf } from './lanes.js';

/** The queue of deliveries to webhook endpoints. Each endpoint is a lane, and each tenant a group. */
export const WEBHOOK_DELIVERIES = 'webhook-deliveries';
/** The queue of order callbacks. Each host is a lane, and each domain a group. */
export const CALLBACK_DELIVERIES = 'callback-deliveries';

/** The dependencies of sending deliveries. */
export type SendContext = { readonly deliveries: DeliveryStore; readonly work: WorkQueue; readonly clock: Clock };

/** The data of delivery work. */
export type DeliveryWork = {
  readonly delivery: string;
  readonly round: number;
  /** The delivery itself, if it may not be stored yet. */
  readonly made?: Delivery;
};

/** Builds the work of a delivery's round. */
export const workOf = ({ id, tenant, round, target }: Delivery, made?: Delivery): Work => ({
  queue: target.kind === 'webhook' ? WEBHOOK_DELIVERIES : CALLBACK_DELIVERIES,
  id: `${id}:${round}`,
  lane: laneOf(tenant, target),
  data: JSON.stringify({ delivery: id, round, ...(made && { made }) } satisfies DeliveryWork),
});

/**
 * Stores a new delivery and enqueues its work, unless it is parked or waiting. It is safe to repeat after a
 * crash. Returns the stored delivery.
 */
export const storeAndSend = async (context: SendContext, made: Delivery): Promise<Delivery> => {
  const delivery = await context.deliveries.putNew(made);
  await sendStored(context, delivery);
  return delivery;
};

/** Enqueues the work of a stored delivery, or of the next one in its sequence. */
export const sendStored = async (context: SendContext, delivery: Delivery): Promise<void> => {
  if (delivery.status === 'pending') await context.work.enqueue(workOf(delivery), context.clock.now());
  if (delivery.status === 'waiting' && delivery.sequence !== null) await sendNextInSequence(context, delivery.sequence);
};

/**
 * Sends the next delivery of a sequence, if it is waiting. This keeps the order per aggregate (contract
 * 20.8): a parked delivery blocks the later ones until it is redelivered. A caller stores its own change
 * first, so that at least one of two concurrent callers sees both changes.
 */
export const sendNextInSequence = async (context: SendContext, sequence: string): Promise<void> => {
  const first = await context.deliveries.findNextInSequence(sequence);
  if (first?.status === 'waiting') await sendWaiting(context, first);
};

/**
 * Enqueues the work of a waiting delivery, then makes the delivery pending in the given sequence. After a
 * crash between the two steps, the delivery is still waiting, and a later call repeats both.
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
