import type { WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import { repeat } from '../../runtime/following/repeat.js';
import { createAnnounceContext, type AnnouncePorts } from '../announce/announcer.js';
import { deliver, type AttemptPorts } from './deliver.js';
import { startDispatching, type Dispatcher, type DispatcherOptions } from '../../runtime/work/dispatcher.js';
import { FailingEndpoints } from './failing-endpoints.js';
import { redeliver } from '../redelivery/redeliver.js';
import { RedeliveryStore, REDELIVERIES_QUEUE, rangeWork, RANGES_QUEUE } from '../redelivery/redelivery.js';
import { CALLBACK_DELIVERIES, WEBHOOK_DELIVERIES } from './send.js';

/** The ports that sending deliveries needs. */
export type DeliveriesPorts = AnnouncePorts & AttemptPorts & { readonly onError: (error: unknown) => void };

type RunningDeliveries = {
  /** Polls a queue now, because it may have new work. */
  wake(queue: string): void;
  /** Claims no further work and waits for the running work. */
  stop(): Promise<void>;
};

/**
 * Maximum concurrent deliveries per queue (contract 20.9). The number is high, because a delivery to a slow receiver takes
 * long.
 */
const MAX_DELIVERIES = 256;
/**
 * Maximum concurrent deliveries per endpoint and per tenant, so that a slow receiver does not delay others
 * (contract 20.9).
 */
const PER_ENDPOINT = 4;
const PER_TENANT = 64;
/**
 * Maximum concurrent callbacks per host and per domain. The limits protect hosts from callers who flood
 * them with callbacks (contract 17.6).
 */
const PER_CALLBACK_HOST = 1;
const PER_CALLBACK_DOMAIN = 4;
/** Maximum concurrent redeliveries per queue. Time ranges have their own queue, because they take long. */
const MAX_REDELIVERIES = 8;
const REDELIVERIES_PER_TENANT = 2;

/** Milliseconds between two searches for running redeliveries that are not enqueued. */
const SEARCH_EVERY = 60_000;

/** Starts sending due deliveries and requested redeliveries. */
export const startDeliveries = (ports: DeliveriesPorts): RunningDeliveries => {
  const stopping = new AbortController();
  const announceContext = createAnnounceContext(ports);
  const deliverContext = { ...announceContext, failing: new FailingEndpoints(ports.documents) };
  const redeliverContext = { ...announceContext, redeliveries: new RedeliveryStore(ports.documents), stopping: stopping.signal };
  const { work, clock, onError } = ports;
  const dispatch = (options: Omit<DispatcherOptions, 'work' | 'clock' | 'onError'>): [string, Dispatcher] => [
    options.queue,
    startDispatching({ work, clock, onError, ...options }),
  ];
  const webhookLimits = { maxRunning: MAX_DELIVERIES, maxPerLane: PER_ENDPOINT, maxPerGroup: PER_TENANT };
  const callbackLimits = { maxRunning: MAX_DELIVERIES, maxPerLane: PER_CALLBACK_HOST, maxPerGroup: PER_CALLBACK_DOMAIN };
  const redeliveryLimits = { maxRunning: MAX_REDELIVERIES, maxPerLane: 1, maxPerGroup: REDELIVERIES_PER_TENANT };
  const dispatchers = new Map([
    dispatch({ queue: WEBHOOK_DELIVERIES, ...webhookLimits, perform: (claimed) => deliver(deliverContext, claimed) }),
    dispatch({ queue: CALLBACK_DELIVERIES, ...callbackLimits, perform: (claimed) => deliver(deliverContext, claimed) }),
    dispatch({ queue: REDELIVERIES_QUEUE, ...redeliveryLimits, perform: (claimed) => redeliver(redeliverContext, claimed) }),
    dispatch({ queue: RANGES_QUEUE, ...redeliveryLimits, perform: (claimed) => redeliver(redeliverContext, claimed) }),
  ]);
  const { redeliveries } = redeliverContext;
  const stopSearching = repeat({
    clock,
    firstDelay: 0,
    work: () => enqueueRunning(redeliveries, work),
    failureDelay: SEARCH_EVERY,
    onError,
  });
  return {
    wake: (queue) => dispatchers.get(queue)?.wake(),
    async stop() {
      stopping.abort();
      await stopSearching();
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.stop()));
    },
  };
};

/**
 * Enqueues all running redeliveries. A redelivery is not enqueued yet if the process that accepted it crashed. For the others,
 * `enqueue` changes nothing.
 */
const enqueueRunning = async (redeliveries: RedeliveryStore, work: WorkQueue): Promise<number> => {
  for (const running of await redeliveries.findRunningPage()) await work.enqueue(rangeWork(running));
  return SEARCH_EVERY;
};
