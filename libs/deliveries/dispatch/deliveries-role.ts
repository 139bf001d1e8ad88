import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Egress } from '../../ports/egress.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { Execute } from '../../eventsourcing/process.js';
import type { WorkQueue } from '../../eventsourcing/ports/work-queue.port.js';
import { repeat } from '../../runtime/following/repeating.js';
import { createAnnounceContext, type AnnouncePorts } from '../announce/announcer.js';
import { deliver, type DisabledNotice } from './deliver.js';
import type { DeliveryCommand } from '../delivery.js';
import { startDispatching, type Dispatcher, type DispatcherOptions } from './dispatcher.js';
import { FailingEndpoints } from './failing-endpoints.js';
import { redeliver } from '../redelivery/redeliver.js';
import { RedeliveryStore, REDELIVERIES_QUEUE, rangeWork, RANGES_QUEUE } from '../redelivery/redelivery.js';
import type { RetrySchedule } from './schedule.js';
import { CALLBACK_DELIVERIES, WEBHOOK_DELIVERIES } from './send.js';
import type { SigningKeys } from '../signing/signatures.js';

/** What sending works on. */
export type DeliveriesPorts = AnnouncePorts & {
  readonly keys: KeyVault;
  readonly egress: Egress;
  readonly signing: SigningKeys;
  readonly retrying: RetrySchedule;
  readonly perform: Execute<DeliveryCommand>;
  /** "disables the endpoint … with a notice". */
  readonly onDisabled: (notice: DisabledNotice) => void;
  readonly onError: (error: unknown) => void;
};

type RunningDeliveries = {
  /** There may be something new to do in that queue. */
  wake(queue: string): void;
  /** Begins nothing more and waits for what is on its way. */
  stop(): Promise<void>;
};

/** Enough to keep many receivers busy, however slow some are. */
const AT_ONCE = 256;
/** To one webhook endpoint at once, and to all of a tenant: "one slow receiver delays no other", nor one tenant another. */
const PER_ENDPOINT = 4;
const PER_TENANT = 64;
/** "A cap holds per target host": a client that requests callbacks names addresses of others, which it must not overload. */
const PER_CALLBACK_HOST = 1;
const PER_NEIGHBOURHOOD = 4;
/** Stretches of time take long, and one delivery's request shall not wait behind them. */
const REQUESTS_AT_ONCE = 8;
const REQUESTS_PER_TENANT = 2;

/** Milliseconds between two looks for redeliveries that are under way and are no work. */
const SWEEP_EVERY = 60_000;

/** Sends what there is to send, as it falls due, and what was asked for again. */
export const startDeliveries = (ports: DeliveriesPorts): RunningDeliveries => {
  const stopping = new AbortController();
  const announcing = createAnnounceContext(ports);
  const delivering = { ...announcing, failing: new FailingEndpoints(ports.documents) };
  const redelivering = { ...announcing, redeliveries: new RedeliveryStore(ports.documents), stopping: stopping.signal };
  const { work, clock, onError } = ports;
  const dispatch = (its: Omit<DispatcherOptions, 'work' | 'clock' | 'onError'>): [string, Dispatcher] => [
    its.queue,
    startDispatching({ work, clock, onError, ...its }),
  ];
  const toEndpoints = { atOnce: AT_ONCE, perLane: PER_ENDPOINT, perGroup: PER_TENANT };
  const toCallers = { atOnce: AT_ONCE, perLane: PER_CALLBACK_HOST, perGroup: PER_NEIGHBOURHOOD };
  const asked = { atOnce: REQUESTS_AT_ONCE, perLane: 1, perGroup: REQUESTS_PER_TENANT };
  const dispatchers = new Map([
    dispatch({ queue: WEBHOOK_DELIVERIES, ...toEndpoints, perform: (piece) => deliver(delivering, piece) }),
    dispatch({ queue: CALLBACK_DELIVERIES, ...toCallers, perform: (piece) => deliver(delivering, piece) }),
    dispatch({ queue: REDELIVERIES_QUEUE, ...asked, perform: (piece) => redeliver(redelivering, piece) }),
    dispatch({ queue: RANGES_QUEUE, ...asked, perform: (piece) => redeliver(redelivering, piece) }),
  ]);
  const { redeliveries } = redelivering;
  const stopSweeping = repeat({ clock, first: 0, work: () => sweep(redeliveries, work, clock), afterFailure: SWEEP_EVERY, onError });
  return {
    wake: (queue) => dispatchers.get(queue)?.wake(),
    async stop() {
      stopping.abort();
      await stopSweeping();
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.stop()));
    },
  };
};

/** A process that began a redelivery may have died before that became work. Enqueueing what is work already changes nothing. */
const sweep = async (redeliveries: RedeliveryStore, work: WorkQueue, clock: Clock): Promise<number> => {
  for (const running of await redeliveries.someRunning()) await work.enqueue(rangeWork(running), clock.now());
  return SWEEP_EVERY;
};
