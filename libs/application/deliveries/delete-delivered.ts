import { deliveredAt } from '../../deliveries/delivery.js';
import { DeliveryStore } from '../../deliveries/delivery-store.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { repeat } from '../../runtime/following/repeat.js';

/** Milliseconds from the start to the first run, and between two runs. */
const FIRST_RUN = 60_000;
const INTERVAL = 3_600_000;
/** The number of deliveries in one read. It is small, because a delivery can have more than 100 KB. */
const PORTION = 100;

export type DeliveryDeletionPorts = {
  readonly clock: Clock;
  readonly documents: Documents;
  /** Milliseconds for which a delivery is kept after it was delivered. */
  readonly deliveryRetentionMilliseconds: number;
  /** Called after a run that deleted deliveries, with their number. */
  readonly onDeliveriesDeleted: (count: number) => void;
  readonly onError: (error: unknown) => void;
};

/**
 * Deletes the deliveries that were delivered longer ago than the retention (contract 20.13), in portions. Keeps parked
 * deliveries. Stops between two portions when `stopping` aborts.
 */
export const deleteDelivered = async (ports: Omit<DeliveryDeletionPorts, 'onError'>, stopping?: AbortSignal): Promise<void> => {
  const { clock, documents, deliveryRetentionMilliseconds: retention, onDeliveriesDeleted } = ports;
  const deliveries = new DeliveryStore(documents);
  // Reads only deliveries that were created at or before `to`. A delivery that was created after `to` was also delivered after
  // `to`, so it is kept.
  const to = new Date(clock.now().getTime() - retention).toISOString();
  let from = '';
  /** The number of deliveries created at `from` that were kept. The next read begins at `from` again and skips them. */
  let kept = 0;
  let count = 0;
  try {
    while (!stopping?.aborted) {
      const portion = await deliveries.findDelivered({ from, to }, PORTION, kept);
      const isOld = ({ delivery }: (typeof portion)[number]): boolean => deliveredAt(delivery) <= to;
      count += await deliveries.delete(portion.filter(isOld), clock.now());
      if (portion.length < PORTION) break;
      const last = portion.at(-1)?.delivery.createdAt ?? to;
      const keptNow = portion.filter((one) => one.delivery.createdAt === last && !isOld(one)).length;
      kept = last === from ? kept + keptNow : keptNow;
      from = last;
      await yieldToEventLoop();
    }
  } finally {
    if (count > 0) onDeliveriesDeleted(count);
  }
};

/** Deletes old delivered deliveries every hour. Returns a function that stops the runs and waits for the current portion. */
export const startDeletingDelivered = (ports: DeliveryDeletionPorts): (() => Promise<void>) => {
  const { clock, onError } = ports;
  const stopping = new AbortController();
  const work = (): Promise<number> => deleteDelivered(ports, stopping.signal).then(() => INTERVAL);
  const stop = repeat({ clock, firstDelay: FIRST_RUN, work, failureDelay: INTERVAL, onError });
  return () => {
    stopping.abort();
    return stop();
  };
};
