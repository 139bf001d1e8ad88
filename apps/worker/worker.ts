import { createAnnouncements } from '../../libs/deliveries/announce/announcements.js';
import { startDeliveries, type DeliveriesPorts } from '../../libs/deliveries/dispatch/deliveries-role.js';
import type { HeardWorkQueue } from '../../libs/deliveries/dispatch/dispatching.js';
import { storedEndpoints } from '../../libs/deliveries/announce/known-endpoints.js';
import type { performOn } from '../../libs/application/perform.js';
import { startOrderExpiry } from '../../libs/application/orders/order-expiry.js';
import { GATEWAY_CALLS, queueGatewayCalls, startGatewayCalls } from '../../libs/application/payments/gateway-calls.js';
import { startDeletingUnusedInstruments } from '../../libs/application/payments/unused-instruments.js';
import { repeat } from '../../libs/runtime/following/repeating.js';
import { createReactor } from '../../libs/runtime/consuming/reactor.js';
import type { Clock } from '../../libs/eventsourcing/ports/clock.port.js';
import type { Documents } from '../../libs/eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../libs/eventsourcing/ports/event-store.port.js';
import type { EventCodec } from '../../libs/eventsourcing/handle.js';
import type { Messages } from '../../libs/eventsourcing/ports/messages.port.js';
import type { PaymentGateway } from '../../libs/ports/payment-gateway.port.js';
import { processes } from '../../libs/processes/processes.js';

/** What the background roles work on. */
export type WorkerPorts = {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly messages: Messages;
  readonly codec: EventCodec;
  readonly clock: Clock;
  readonly perform: ReturnType<typeof performOn>;
  readonly gateway: PaymentGateway;
  readonly work: HeardWorkQueue;
  /** Brings read models that are new, or behind, to the end of the log. */
  readonly catchUp: (options: { readonly signal: AbortSignal }) => Promise<unknown>;
  /** Projects again what projections could not take; answers how many streams came free. */
  readonly retryParkedStreams: () => Promise<number>;
  /** How long an unpaid order keeps its pet. */
  readonly orderHoldMilliseconds: number;
  readonly onError: (error: unknown) => void;
};

export type Worker = {
  /** Takes up nothing new and waits for what is in hand. */
  stop(): Promise<void>;
};

/** What waits for a fault to be mended is tried again at the start, and then this often, in milliseconds. */
const RETRY_EVERY = 60_000;

/**
 * Starts the background roles: projections, consumers (processes, calls of the payment gateway) and timers (order expiry,
 * unused instruments). Nothing here decides anything.
 */
export const startWorker = async (ports: WorkerPorts): Promise<Worker> => {
  const { documents, messages, clock, perform, work, orderHoldMilliseconds: holdMilliseconds, onError } = ports;
  const gatewayCalls = startGatewayCalls(ports);
  work.onEnqueued((queue) => queue === GATEWAY_CALLS && gatewayCalls.wake());
  const reactions = await messages.subscribe(createReactor(processes, { ...ports, execute: queueGatewayCalls(ports) }));
  const stopping = new AbortController();
  const caughtUp = ports.catchUp({ signal: stopping.signal }).catch(onError);
  const retry = async (): Promise<number> => {
    await ports.retryParkedStreams();
    await reactions.retryParked();
    return RETRY_EVERY;
  };
  const stopRetrying = repeat({ clock, first: 0, work: retry, afterFailure: RETRY_EVERY, onError });
  const stopExpiry = startOrderExpiry({ clock, documents, perform, holdMilliseconds, onError });
  const stopDeleting = startDeletingUnusedInstruments(ports);
  return {
    async stop() {
      stopping.abort();
      await Promise.all([caughtUp, stopExpiry(), stopDeleting(), stopRetrying()]);
      await reactions.stop();
      await gatewayCalls.stop();
    },
  };
};

export type Outgoing = {
  /** Takes up nothing new and waits for what is on its way. */
  stop(): Promise<void>;
};

/** Starts what tells the outside: webhooks and callbacks, announced and delivered. */
export const startOutgoing = async (
  ports: DeliveriesPorts & { readonly messages: Messages; readonly work: HeardWorkQueue },
): Promise<Outgoing> => {
  const { messages, clock, onError, work } = ports;
  const deliveries = startDeliveries(ports);
  work.onEnqueued((queue) => deliveries.wake(queue));
  const announcements = await messages.subscribe(createAnnouncements(ports, storedEndpoints(ports.documents)));
  const retry = async (): Promise<number> => {
    await announcements.retryParked();
    return RETRY_EVERY;
  };
  const stopRetrying = repeat({ clock, first: 0, work: retry, afterFailure: RETRY_EVERY, onError });
  return {
    async stop() {
      await stopRetrying();
      await announcements.stop();
      await deliveries.stop();
    },
  };
};
