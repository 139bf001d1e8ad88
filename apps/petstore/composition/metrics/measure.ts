import type { Server } from 'node:http';
import { NO_AUDIT, type AuditRecord } from '../../../../libs/audit/watch/audit-record.js';
import { STUCK_KINDS } from '../../../../libs/application/operations/stuck.js';
import type { StuckCount } from '../../../../libs/application/operations/stuck.queries.js';
import type { ReadCodec } from '../../../../libs/eventsourcing/event-codec.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import { checkpointOf, type Documents } from '../../../../libs/eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import type { Messages } from '../../../../libs/eventsourcing/ports/messages.port.js';
import type { AuditResult, Lag, Measurements, PoolState, StuckWork } from '../../../../libs/ports/metrics.port.js';
import { projections } from '../../../../libs/projections/projections.js';
import type { StreamFaults } from '../../../../libs/runtime/projecting/stream-faults.js';
import { RELAY } from '../../../../libs/runtime/relay/relay.js';
import { droppedLines } from '../../logging/log.js';
import { cacheFor } from '../../running/cache-for.js';
import { withTimeout } from '../../running/with-timeout.js';
import { measureLagAfter } from './log-lag.js';
import type { OrderSources } from './measured-orders.js';

/** The minimum time in milliseconds between two reads from the servers, even if metrics are scraped more often. */
const LIFETIME = 5_000;
/** The same for orders and for what is stuck. The search for it reads and folds many streams. */
const ORDERS_LIFETIME = 60_000;

/** The sources of the measurements. Optional sources are absent in a process that does not have them. */
export type MetricSources = {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly codec: Pick<ReadCodec, 'decode'>;
  readonly documents: Pick<Documents, 'checkpoint'>;
  readonly faults: Pick<StreamFaults, 'all'>;
  readonly clock: Clock;
  /** Returns the position of the last event in the log. */
  readonly head: () => Promise<number>;
  /** Returns the number of parked streams by the name of the reader: a read model or the relay. */
  readonly parkedStreams: () => Promise<Readonly<Record<string, number>>>;
  /** Returns what the audits of the log have found. */
  readonly readAudit: () => Promise<AuditRecord>;
  /** Whether the store has a relay, which publishes events to topics. Without a relay, the lag of the relay is null. */
  readonly hasRelay: boolean;
  readonly messages?: Pick<Messages, 'consumers'>;
  /** Only processes that serve the api have it. */
  readonly orders?: OrderSources;
  /** The HTTP server whose connections are counted. */
  readonly server?: Pick<Server, 'getConnections'>;
  /** Returns the state of the connection pools by the name of the server. */
  readonly pools?: () => Readonly<Record<string, PoolState>>;
};

/**
 * Returns a function that reads all values of a scrape. The function never rejects: a value that cannot be read within a
 * second is null or absent.
 */
export const createMeasure = (sources: MetricSources): (() => Promise<Measurements>) => {
  const { faults, clock, messages, orders, server, pools } = sources;
  const orUnknown = <T, U>(reading: Promise<T>, unknown: U): Promise<T | U> => withTimeout(reading, clock).catch(() => unknown);
  // A search that takes longer than a second goes on. Until it ends, scrapes show the result before it, so that alerts see no gap.
  const countOrders =
    orders &&
    orLast(
      cacheFor(ORDERS_LIFETIME, clock, async () => orders.countOrders()),
      clock,
    );
  const countStuck =
    orders &&
    orLast(
      cacheFor(ORDERS_LIFETIME, clock, async () => orders.countStuck()),
      clock,
    );
  const readStored = cacheFor(LIFETIME, clock, async () => {
    const [lags, parkedStreams, consumers, audit, byStatus, stuck] = await Promise.all([
      measureLags(sources),
      orUnknown(sources.parkedStreams(), {}),
      messages ? orUnknown(messages.consumers(), {}) : {},
      orUnknown(sources.readAudit(), NO_AUDIT),
      countOrders ? countOrders() : null,
      countStuck ? countStuck() : null,
    ]);
    return {
      ...lags,
      parkedStreams,
      consumers,
      audit: auditResultOf(audit, clock),
      auditFaults: audit.faults,
      orders: byStatus ?? {},
      stuck: stuck ? stuckByKind(stuck, clock) : {},
    };
  });
  return async () => {
    const broken = faults.all();
    return {
      ...(await readStored()),
      alteredStreams: broken.filter(({ kind }) => kind === 'altered').length,
      unreadableStreams: broken.filter(({ kind }) => kind === 'unreadable').length,
      droppedLogLines: droppedLines(),
      httpConnections: server ? await countConnections(server) : null,
      pools: pools?.() ?? {},
    };
  };
};

/** Returns a function that reads a value within the time limit, or else returns the value before, or null after a failure. */
const orLast = <T>(read: () => Promise<T>, clock: Clock): (() => Promise<T | null>) => {
  let last: T | null = null;
  return () => {
    const reading = read().then(
      (value) => (last = value),
      () => (last = null),
    );
    return withTimeout(reading, clock).catch(() => last);
  };
};

const auditResultOf = ({ verified }: AuditRecord, clock: Clock): AuditResult | null => {
  if (!verified) return null;
  const seconds = (clock.now().getTime() - Date.parse(verified.time)) / 1_000;
  return { position: verified.position, seconds: Math.max(0, seconds) };
};

/** Returns a value for each kind, so that each has a series before something of it is stuck. */
const stuckByKind = (counts: readonly StuckCount[], clock: Clock): Readonly<Record<string, StuckWork>> => {
  const now = clock.now().getTime();
  return Object.fromEntries(
    STUCK_KINDS.map((kind) => {
      const counted = counts.find((one) => one.kind === kind);
      const oldestSeconds = counted ? Math.max(0, now - Date.parse(counted.oldest)) / 1_000 : 0;
      return [kind, { count: counted?.count ?? 0, oldestSeconds }];
    }),
  );
};

const countConnections = (server: Pick<Server, 'getConnections'>): Promise<number | null> =>
  new Promise((resolve) => server.getConnections((error, count) => resolve(error ? null : count)));

/**
 * Measures the lag of each read model and of the relay, in events and seconds. Reads the log only for a read model or
 * relay that has not reached the end of the log.
 */
const measureLags = async (sources: MetricSources): Promise<Pick<Measurements, 'projections' | 'relay'>> => {
  const { documents, clock, hasRelay } = sources;
  const orNull = <T>(reading: Promise<T>): Promise<T | null> => withTimeout(reading, clock).catch(() => null);
  // The end of the log is read first. If it were read after the checkpoints, events appended in between would count as lag.
  const end = await orNull(sources.head());
  const lagOf = async (name: string): Promise<Lag | null> => {
    const position = await orNull(documents.checkpoint(name));
    if (end === null || position === null) return null;
    return position >= end ? { events: 0, seconds: 0 } : orNull(measureLagAfter(sources, position, clock.now()));
  };
  const names = projections.map(({ collection }) => checkpointOf(collection));
  const [relay, ...lags] = await Promise.all([hasRelay ? lagOf(RELAY) : null, ...names.map(lagOf)]);
  return { relay: relay ?? null, projections: Object.fromEntries(names.map((name, nth) => [name, lags[nth] ?? null])) };
};
