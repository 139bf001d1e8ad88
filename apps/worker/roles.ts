import { createAnnouncements } from '../../libs/deliveries/announce/announcements.js';
import type { EndpointLookup } from '../../libs/deliveries/announce/endpoint-lookup.js';
import { startDeliveries, type DeliveriesPorts } from '../../libs/deliveries/dispatch/deliveries-role.js';
import type { NotifyingWorkQueue } from '../../libs/deliveries/dispatch/dispatcher.js';
import { startOrderExpiry } from '../../libs/application/orders/order-expiry.js';
import { GATEWAY_CALLS, queueGatewayCalls, startGatewayCalls } from '../../libs/application/payments/gateway-calls.js';
import { startDeletingUnusedInstruments } from '../../libs/application/payments/unused-instruments.js';
import type { performOn } from '../../libs/application/perform.js';
import type { Messages } from '../../libs/eventsourcing/ports/messages.port.js';
import type { PaymentGateway } from '../../libs/ports/payment-gateway.port.js';
import { processes } from '../../libs/processes/processes.js';
import { createReactor } from '../../libs/runtime/consuming/reactor.js';
import { repeat } from '../../libs/runtime/following/repeating.js';
import type { Role } from './role-names.js';

/** What every role works on, in both profiles. */
export type RolePorts = DeliveriesPorts & {
  readonly work: NotifyingWorkQueue;
  readonly messages: Messages;
  readonly gateway: PaymentGateway;
  readonly perform: ReturnType<typeof performOn>;
  /** How long an unpaid order keeps its pet, in milliseconds. */
  readonly orderHoldMilliseconds: number;
};

/** Something that goes on in the background until it is told to stop. */
export type RunningRole = {
  /** How far what it owns has come: read models by checkpoint name, and the relay. */
  positions?(): Readonly<Record<string, number>>;
  /** Why it does nothing until an operator acts; null while nothing is wrong. */
  refusal?(): string | null;
  /** Takes up nothing new, waits for what is in hand and lets go of every lease. */
  stop(): Promise<void>;
};

/** What a profile does in its own way. */
export type Profile = {
  readonly startProjections: () => RunningRole;
  /** Absent where nobody fills topics. */
  readonly startRelay?: () => RunningRole;
  readonly openEndpoints: () => EndpointLookup & { stop(): Promise<void> };
  /** Has work go on in one process at a time: `start` begins it and answers how to end it. */
  readonly runExclusively: (role: Role, start: () => () => Promise<void>) => () => Promise<void>;
};

type Start = () => RunningRole | Promise<RunningRole>;

export type RunningRoles = Required<RunningRole>;

/** What waits for a fault to be mended is tried again at the start, and then this often, in milliseconds. */
export const RETRY_INTERVAL = 60_000;

/** Starts some roles of a worker: the one list of them for both profiles. Nothing here decides anything. */
export const startRoles = async (roles: ReadonlySet<Role>, ports: RolePorts, profile: Profile): Promise<RunningRoles> => {
  const starts: { readonly [R in Role]: Start | undefined } = {
    projections: profile.startProjections,
    relay: profile.startRelay,
    timers: () => ({ stop: profile.runExclusively('timers', () => startTimers(ports)) }),
    deliveries: () => startDeliveryRole(ports),
    // Last: it waits for the brokers, and nothing else has to.
    consumers: () => startConsumers(ports, profile),
  };
  const running: RunningRole[] = [];
  for (const [role, start] of Object.entries(starts)) if (start && roles.has(role as Role)) running.push(await start());
  return {
    positions: () => Object.assign({}, ...running.map((role) => role.positions?.())) as Readonly<Record<string, number>>,
    refusal: () => running.map((role) => role.refusal?.() ?? null).find((refusal) => refusal !== null) ?? null,
    async stop() {
      await Promise.all(running.map((role) => role.stop()));
    },
  };
};

const startDeliveryRole = (ports: RolePorts): RunningRole => {
  const deliveries = startDeliveries(ports);
  ports.work.onEnqueued((queue) => deliveries.wake(queue));
  return deliveries;
};

const startConsumers = async (ports: RolePorts, profile: Profile): Promise<RunningRole> => {
  const { messages, work, clock, onError } = ports;
  const gatewayCalls = startGatewayCalls(ports);
  work.onEnqueued((queue) => queue === GATEWAY_CALLS && gatewayCalls.wake());
  const reactions = await messages.subscribe(createReactor(processes, { ...ports, execute: queueGatewayCalls(ports) }));
  const endpoints = profile.openEndpoints();
  const announcements = await messages.subscribe(createAnnouncements(ports, endpoints));
  const retry = async (): Promise<number> => {
    await reactions.retryParked();
    await announcements.retryParked();
    return RETRY_INTERVAL;
  };
  const stopRetrying = repeat({ clock, first: 0, work: retry, afterFailure: RETRY_INTERVAL, onError });
  return {
    async stop() {
      await stopRetrying();
      await Promise.all([reactions.stop(), announcements.stop()]);
      await endpoints.stop();
      await gatewayCalls.stop();
    },
  };
};

const startTimers = (ports: RolePorts): (() => Promise<void>) => {
  const stops = [startOrderExpiry(ports), startDeletingUnusedInstruments(ports)];
  return async () => void (await Promise.all(stops.map((stop) => stop())));
};
