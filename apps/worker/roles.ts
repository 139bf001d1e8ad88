import { ANNOUNCEMENTS, createAnnouncements } from '../../libs/deliveries/announce/announcements.js';
import type { EndpointLookup } from '../../libs/deliveries/announce/endpoint-lookup.js';
import { startDeliveries, type DeliveriesPorts } from '../../libs/deliveries/dispatch/deliveries-role.js';
import type { NotifyingWorkQueue } from '../../libs/runtime/work/dispatcher.js';
import { startCheckpoints, type CheckpointsPorts } from '../../libs/audit/checkpoints/checkpoints-role.js';
import { startAudits, type AuditsPorts } from '../../libs/audit/watch/audits-role.js';
import { startAdoptionExpiry } from '../../libs/application/adoptions/adoption-expiry.js';
import { startOrderExpiry } from '../../libs/application/orders/order-expiry.js';
import { GATEWAY_CALLS, enqueueGatewayCalls, startGatewayCalls } from '../../libs/application/payments/gateway-calls.js';
import { startDeletingDelivered, type DeliveryDeletionPorts } from '../../libs/application/deliveries/delete-delivered.js';
import { startRemovingUnnamedBlobs } from '../../libs/application/pets/unnamed-blobs.js';
import { startDeletingUnusedInstruments } from '../../libs/application/payments/unused-instruments.js';
import { startRemovingExpired } from '../../libs/application/sessions/remove-expired.js';
import { startSettlingUserLists } from '../../libs/application/users/lists/settle-user-list.js';
import { startSettlingFills } from '../../libs/application/operations/fill.commands.js';
import { startForgettingSecurityEvents } from '../../libs/application/security/forget-security-events.js';
import { SHARED_POOL } from '../../libs/eventsourcing/message.js';
import type { KeyVault } from '../../libs/eventsourcing/ports/key-vault.port.js';
import type { executeWith } from '../../libs/application/commands.js';
import type { Messages, Subscription } from '../../libs/eventsourcing/ports/messages.port.js';
import type { Blobs } from '../../libs/ports/blobs.port.js';
import type { PaymentGateway } from '../../libs/ports/payment-gateway.port.js';
import { processes } from '../../libs/processes/processes.js';
import { createReactor, REACTOR } from '../../libs/runtime/consuming/reactor.js';
import { repeat } from '../../libs/runtime/following/repeat.js';
import type { OperatorDecisions } from '../../libs/runtime/operating/operator-state.js';
import { meetRetryRequests } from '../../libs/runtime/operating/retry-requests.js';
import type { Role } from './role-names.js';

/** The ports that roles need in both profiles. */
export type RolePorts = DeliveriesPorts &
  CheckpointsPorts &
  AuditsPorts &
  DeliveryDeletionPorts & {
    readonly work: NotifyingWorkQueue;
    readonly decisions: OperatorDecisions;
    readonly messages: Messages;
    readonly gateway: PaymentGateway;
    readonly keys: KeyVault;
    readonly blobs: Blobs;
    /** Milliseconds for which the personal values of security events can be read (contract 34.2). */
    readonly securityLogRetentionMilliseconds: number;
    readonly execute: ReturnType<typeof executeWith>;
    /** Milliseconds after which an unpaid order expires and releases its pet. */
    readonly orderHoldMilliseconds: number;
    /** Milliseconds after which an adoption application expires if nobody has decided on it. */
    readonly adoptionHoldMilliseconds: number;
  };

/** A role that runs in the background until `stop` is called. */
export type RunningRole = {
  /** Returns log positions by checkpoint name: of each read model that this process updates, and of the relay (`relay`). */
  positions?(): Readonly<Record<string, number>>;
  /** Returns why the role is blocked until an operator acts. Null if it is not blocked. */
  blockedReason?(): string | null;
  /** Accepts no new work, waits for running work, and releases all leases. */
  stop(): Promise<void>;
};

/** The parts of the roles that differ between the profiles. */
export type Profile = {
  readonly startProjections: () => RunningRole;
  /** Absent in the embedded profile, which has no topics. */
  readonly startRelay?: () => RunningRole;
  /** Counts the messages of topics. Absent in the embedded profile. */
  readonly startCounts?: () => () => Promise<void>;
  /** Opens the lookup of webhook endpoints for the role `consumers`. */
  readonly openEndpoints: () => EndpointLookup & { stop(): Promise<void> };
  /** Runs the work of a role in only one process at a time. `start` starts the work. Both return a function that stops it. */
  readonly runExclusively: (role: Role, start: () => () => Promise<void>) => () => Promise<void>;
};

/** The names of the consumers that the role `consumers` runs. */
export const CONSUMERS = [REACTOR, ANNOUNCEMENTS] as const;

type Start = () => RunningRole | Promise<RunningRole>;

export type RunningRoles = Required<RunningRole>;

/** Milliseconds between two retries of parked streams. The first retry is at the start of the role. */
export const RETRY_INTERVAL = 60_000;

/** Starts the roles of a worker. If a role cannot start, stops the roles that have started, and rejects. */
export const startRoles = async (roles: ReadonlySet<Role>, ports: RolePorts, profile: Profile): Promise<RunningRoles> => {
  const starts: { readonly [R in Role]: Start | undefined } = {
    projections: profile.startProjections,
    relay: profile.startRelay,
    timers: () => ({ stop: profile.runExclusively('timers', () => startTimers(ports, profile)) }),
    deliveries: () => startDeliveryRole(ports),
    // This role starts last, because its start waits for the brokers. The start of every other role does not.
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
  const stops = [
    repeat({ clock, firstDelay: 0, work: retry, failureDelay: RETRY_INTERVAL, onError }),
    meetRetryRequests({ ...ports, names: CONSUMERS, retry }),
  ];
  return { stop: () => Promise.all(stops.map((stopRetrying) => stopRetrying())).then(stop) };
};

/** The context of the settling of fills. */
const SETTLING = { tenant: SHARED_POOL, actor: 'process:projections', correlationId: 'fills', causationId: 'fills' };

const startTimers = (ports: RolePorts, { startCounts }: Profile): (() => Promise<void>) => {
  const stops = [
    startOrderExpiry(ports),
    startAdoptionExpiry(ports),
    startDeletingUnusedInstruments(ports),
    startRemovingUnnamedBlobs(ports),
    startRemovingExpired(ports),
    startSettlingUserLists(ports),
    startSettlingFills({ ...ports, settle: () => ports.execute({ type: 'SettleFills', data: null }, SETTLING) }),
    startForgettingSecurityEvents(ports),
    startCheckpoints(ports),
    startAudits(ports),
    startDeletingDelivered(ports),
    ...(startCounts ? [startCounts()] : []),
  ];
  return async () => void (await Promise.all(stops.map((stop) => stop())));
};
