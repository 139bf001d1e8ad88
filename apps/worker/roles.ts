import { createAnnouncements } from '../../libs/deliveries/announce/announcements.js';
import type { EndpointLookup } from '../../libs/deliveries/announce/endpoint-lookup.js';
import { startDeliveries, type DeliveriesPorts } from '../../libs/deliveries/dispatch/deliveries-role.js';
import type { NotifyingWorkQueue } from '../../libs/deliveries/dispatch/dispatcher.js';
import { startOrderExpiry } from '../../libs/application/orders/order-expiry.js';
import { GATEWAY_CALLS, enqueueGatewayCalls, startGatewayCalls } from '../../libs/application/payments/gateway-calls.js';
import { startDeletingUnusedInstruments } from '../../libs/application/payments/unused-instruments.js';
import type { performWith } from '../../libs/application/perform.js';
import type { Messages, Subscription } from '../../libs/eventsourcing/ports/messages.port.js';
import type { PaymentGateway } from '../../libs/ports/payment-gateway.port.js';
import { processes } from '../../libs/processes/processes.js';
import { createReactor } from '../../libs/runtime/consuming/reactor.js';
import { repeat } from '../../libs/runtime/following/repeat.js';
import type { Role } from './role-names.js';

/** The ports of the roles in both profiles. */
export type RolePorts = DeliveriesPorts & {
  readonly work: NotifyingWorkQueue;
  readonly messages: Messages;
  readonly gateway: PaymentGateway;
  readonly perform: ReturnType<typeof performWith>;
  /** Milliseconds after which an unpaid order expires and releases its pet. */
  readonly orderHoldMilliseconds: number;
};

/** A role that runs in the background until `stop` is called. */
export type RunningRole = {
  /** Returns the positions of the read models that this process updates, by checkpoint name, and of the relay. */
  positions?(): Readonly<Record<string, number>>;
  /** Returns why the role has stopped until an operator acts, or null while it works. */
  blockedReason?(): string | null;
  /** Accepts no new work, waits for running work, and releases all leases. */
  stop(): Promise<void>;
};

/** How a profile runs the roles, where the profiles differ. */
export type Profile = {
  readonly startProjections: () => RunningRole;
  /** Absent in the embedded profile, which has no topics. */
  readonly startRelay?: () => RunningRole;
  readonly openEndpoints: () => EndpointLookup & { stop(): Promise<void> };
  /** Runs work in one process at a time. `start` starts it and returns a function that stops it. */
  readonly runExclusively: (role: Role, start: () => () => Promise<void>) => () => Promise<void>;
};

type Start = () => RunningRole | Promise<RunningRole>;

export type RunningRoles = Required<RunningRole>;

/** Milliseconds between two retries of parked streams. The first retry is at startup. */
export const RETRY_INTERVAL = 60_000;

/** Starts the roles of a worker. If a role cannot start, stops the others and rejects. */
export const startRoles = async (roles: ReadonlySet<Role>, ports: RolePorts, profile: Profile): Promise<RunningRoles> => {
  const starts: { readonly [R in Role]: Start | undefined } = {
    projections: profile.startProjections,
    relay: profile.startRelay,
    timers: () => ({ stop: profile.runExclusively('timers', () => startTimers(ports)) }),
    deliveries: () => startDeliveryRole(ports),
    // Started last, because it waits for the brokers, which the other roles do not need.
    consumers: () => startConsumers(ports, profile),
  };
  const running: RunningRole[] = [];
  const stop = async (): Promise<void> => void (await Promise.all(running.map((role) => role.stop())));
  try {
    for (const [role, start] of Object.entries(starts)) if (start && roles.has(role as Role)) running.push(await start());
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    positions: () => Object.assign({}, ...running.map((role) => role.positions?.())) as Readonly<Record<string, number>>,
    blockedReason: () => running.map((role) => role.blockedReason?.() ?? null).find((reason) => reason !== null) ?? null,
    stop,
  };
};

const startDeliveryRole = (ports: RolePorts): RunningRole => {
  const deliveries = startDeliveries(ports);
  ports.work.onEnqueued((queue) => deliveries.wake(queue));
  return deliveries;
};

const startConsumers = async (ports: RolePorts, profile: Profile): Promise<RunningRole> => {
  const { messages, work, clock, onError } = ports;
  const endpoints = profile.openEndpoints();
  const gatewayCalls = startGatewayCalls(ports);
  work.onEnqueued((queue) => queue === GATEWAY_CALLS && gatewayCalls.wake());
  const consumers: Subscription[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    await endpoints.stop();
    await gatewayCalls.stop();
  };
  try {
    consumers.push(await messages.subscribe(createReactor(processes, { ...ports, execute: enqueueGatewayCalls(ports) })));
    consumers.push(await messages.subscribe(createAnnouncements(ports, endpoints)));
  } catch (error) {
    await stop();
    throw error;
  }
  const retry = async (): Promise<number> => {
    for (const consumer of consumers) await consumer.retryParked();
    return RETRY_INTERVAL;
  };
  const stopRetrying = repeat({ clock, firstDelay: 0, work: retry, failureDelay: RETRY_INTERVAL, onError });
  return { stop: () => stopRetrying().then(stop) };
};

const startTimers = (ports: RolePorts): (() => Promise<void>) => {
  const stops = [startOrderExpiry(ports), startDeletingUnusedInstruments(ports)];
  return async () => void (await Promise.all(stops.map((stop) => stop())));
};
