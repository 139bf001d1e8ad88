import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Work, WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import type { Delivery } from '../delivery.js';
import type { DeliveryStore } from '../delivery-store.js';
import { laneOf } from './lanes.js';

/** The queue of deliveries to webhook endpoints. A lane is an endpoint, in the group of its tenant. */
export const WEBHOOK_DELIVERIES = 'webhook-deliveries';
/** The queue of order callbacks. A lane is a host, in the group of its domain. */
export const CALLBACK_DELIVERIES = 'callback-deliveries';

/** The dependencies of sending deliveries. */
export type SendContext = { readonly deliveries: DeliveryStore; readonly work: WorkQueue; readonly clock: Clock };

/** The data of delivery work. */
export type DeliveryWork = {
  readonly delivery: string;
  readonly round: number;
  /** The delivery itself, in case the process crashed before it was stored. */
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
export const sendNew = async (context: SendContext, made: Delivery): Promise<Delivery> => {
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
 * Sends the first unfinished delivery of a sequence, which keeps the order per aggregate (contract 20.8). A
 * caller stores its change before it calls this, so of two concurrent callers one sees the other's change. A
 * parked delivery blocks the later ones until it is redelivered.
 */
export const sendNextInSequence = async (context: SendContext, sequence: string): Promise<void> => {
  const first = await context.deliveries.firstOpen(sequence);
  if (first?.status === 'waiting') await sendWaiting(context, first);
};

/**
 * Makes a waiting delivery pending, in the given sequence. It enqueues the work first: after a crash in
 * between, the delivery is still waiting and is sent again.
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
