import { createAnnouncements } from '../../libs/deliveries/announce/announcements.js';
import { heard } from '../../libs/deliveries/dispatch/dispatching.js';
import { startDeliveries, type DeliveriesPorts } from '../../libs/deliveries/dispatch/deliveries-role.js';
import { followEndpoints } from '../../libs/deliveries/announce/known-endpoints.js';
import type { performOn } from '../../libs/application/perform.js';
import { startOrderExpiry } from '../../libs/application/orders/order-expiry.js';
import { GATEWAY_CALLS, queueGatewayCalls, startGatewayCalls } from '../../libs/application/payments/gateway-calls.js';
import { startDeletingUnusedInstruments } from '../../libs/application/payments/unused-instruments.js';
import { startProjections } from '../../libs/runtime/projecting/projection-role.js';
import { createReactor } from '../../libs/runtime/consuming/reactor.js';
import { startRelay, type Relay } from '../../libs/runtime/relay/relay.js';
import { repeat } from '../../libs/runtime/following/repeating.js';
import type { StreamFaults } from '../../libs/runtime/projecting/stream-faults.js';
import { between, whileLeased } from '../../libs/runtime/leases/while-leased.js';
import { contracts, tellBy } from '../../libs/contracts/contracts.js';
import type { Documents } from '../../libs/eventsourcing/ports/documents.port.js';
import type { Leases } from '../../libs/eventsourcing/ports/leases.port.js';
import type { Messages } from '../../libs/eventsourcing/ports/messages.port.js';
import type { PaymentGateway } from '../../libs/ports/payment-gateway.port.js';
import type { ParkedStream, Projector } from '../../libs/eventsourcing/projection.js';
import type { Publisher, TopicsNow } from '../../libs/eventsourcing/ports/publisher.port.js';
import { processes } from '../../libs/processes/processes.js';
import type { Role } from './role-names.js';

/** What the roles of separate worker processes work on. */
export type RolePorts = DeliveriesPorts & {
  /** Every version of a read model as it is. */
  readonly building: Documents;
  readonly perform: ReturnType<typeof performOn>;
  readonly gateway: PaymentGateway;
  readonly leases: Leases;
  readonly messages: Messages;
  readonly openPublisher: () => Promise<Publisher>;
  readonly topicsNow: () => Promise<TopicsNow>;
  readonly projectors: readonly Projector[];
  /** Names this process among all workers. */
  readonly holder: string;
  /** The position of the log's last event. */
  readonly head: () => Promise<number>;
  readonly onCaughtUp: (projector: Projector) => Promise<void>;
  /** The streams that were altered, or that a newer version wrote. */
  readonly faults: StreamFaults;
  readonly onParked: (projection: string, parked: ParkedStream) => void;
  readonly orderHoldMilliseconds: number;
};

export type RunningRoles = {
  /** How far what this process owns has come: read models by checkpoint name, and the relay. */
  positions(): Readonly<Record<string, number>>;
  /** Why a role does nothing until an operator acts; null while nothing is wrong. */
  refusal(): string | null;
  /** Takes up nothing new, waits for what is in hand and lets go of every lease. */
  stop(): Promise<void>;
};

/** What waits for a fault to be mended is tried again at the start, and then this often, in milliseconds. */
const RETRY_EVERY = 60_000;

/**
 * A batch of the relay begins this many milliseconds after the one before it at the earliest: under load a transaction on
 * Kafka costs the same however much it holds, and no subscriber notices the wait.
 */
export const RELAY_EVERY = 40;

/** The same for a batch of a read model: shorter, since a write waits until the read model shows it (WRITE_WAIT). */
const PROJECT_EVERY = 20;

/** Starts some roles of a worker. Nothing here decides anything. */
export const startRoles = async (roles: ReadonlySet<Role>, ports: RolePorts): Promise<RunningRoles> => {
  const relay = roles.has('relay')
    ? startRelay({ ...ports, documents: ports.building, messageOf: tellBy(contracts), every: RELAY_EVERY })
    : null;
  const projections = roles.has('projections') ? startProjections({ ...ports, documents: ports.building, every: PROJECT_EVERY }) : null;
  const stopTimers = roles.has('timers') ? startTimers(ports) : null;
  const deliveries = roles.has('deliveries') ? startDeliveries(ports) : null;
  const stopConsumers = roles.has('consumers') ? await startConsumers(ports) : null;
  return {
    positions: () => ({ ...projections?.positions(), ...relayPosition(relay) }),
    refusal: () => relay?.refusal() ?? null,
    async stop() {
      await stopConsumers?.();
      for (const stopping of [stopTimers?.(), deliveries?.stop(), projections?.stop(), relay?.stop()]) await stopping;
    },
  };
};

const relayPosition = (relay: Relay | null): Readonly<Record<string, number>> => {
  const position = relay?.position();
  return typeof position === 'number' ? { relay: position } : {};
};

const startConsumers = async (ports: RolePorts): Promise<() => Promise<void>> => {
  const { messages, clock, onError } = ports;
  const work = heard(ports.work);
  const gatewayCalls = startGatewayCalls({ ...ports, work });
  work.onEnqueued((queue) => queue === GATEWAY_CALLS && gatewayCalls.wake());
  const reactions = await messages.subscribe(createReactor(processes, { ...ports, execute: queueGatewayCalls({ ...ports, work }) }));
  const endpoints = followEndpoints(ports);
  const announcements = await messages.subscribe(createAnnouncements(ports, endpoints));
  const retry = async (): Promise<number> => {
    await reactions.retryParked();
    await announcements.retryParked();
    return RETRY_EVERY;
  };
  const stopRetrying = repeat({ clock, first: 0, work: retry, afterFailure: RETRY_EVERY, onError });
  return async () => {
    await stopRetrying();
    await Promise.all([reactions.stop(), announcements.stop()]);
    await endpoints.stop();
    await gatewayCalls.stop();
  };
};

/** One process at a time looks at the clock: two would ask for everything twice, which does no harm and no good. */
const startTimers = (ports: RolePorts) => {
  const { documents, perform, clock, leases, holder, orderHoldMilliseconds: holdMilliseconds, onError } = ports;
  return whileLeased(
    { name: 'timers', leases, holder, clock, onError },
    between(() => {
      const stopExpiry = startOrderExpiry({ clock, documents, perform, holdMilliseconds, onError });
      const stopDeleting = startDeletingUnusedInstruments(ports);
      return async () => void (await Promise.all([stopExpiry(), stopDeleting()]));
    }),
  );
};
