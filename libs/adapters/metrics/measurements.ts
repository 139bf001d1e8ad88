import { Counter, Gauge, type Registry } from 'prom-client';
import type { Lag, Measurements } from '../../ports/metrics.port.js';

/** Creates the gauges and the counter of measured values. Returns a function that sets the values. */
export const createMeasurements = (registry: Registry, prefix: string): ((measured: Measurements) => void) => {
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> =>
    new Gauge({ name: `${prefix}${name}`, help, labelNames, registers: [registry] });
  const gauges = createGauges(gauge);
  const dropped = new Counter({
    name: `${prefix}log_lines_dropped_total`,
    help: 'Log lines that were dropped, because the output was too slow',
    registers: [registry],
  });
  // An unknown value must have no series. After `reset` alone, a gauge without labels would show 0.
  const removeSeries = (): void => {
    for (const each of Object.values<Gauge>(gauges)) {
      each.reset();
      each.remove({});
    }
  };
  removeSeries();
  return (measured) => {
    removeSeries();
    setGauges(gauges, measured);
    // A counter has no `set`: it is reset, and then increased by the measured total.
    dropped.reset();
    dropped.inc(measured.droppedLogLines);
  };
};

type CreateGauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) => Gauge<Label>;

const createGauges = (gauge: CreateGauge) => ({
  projectionEvents: gauge('projection_lag_events', 'Events that a read model does not contain yet, counted up to 1,000', 'projection'),
  projectionSeconds: gauge('projection_lag_seconds', 'Age of the first event that a read model does not contain yet', 'projection'),
  relayEvents: gauge('relay_lag_events', 'Events that are not published yet, counted up to 1,000'),
  relaySeconds: gauge('relay_lag_seconds', 'Age of the first event that is not published yet'),
  consumerMessages: gauge('consumer_lag_messages', 'Messages that a consumer has not handled yet', 'consumer'),
  parkedKeys: gauge('parked_keys', 'Keys whose messages wait, because one of them failed too often', 'consumer'),
  parkedStreams: gauge('parked_streams', 'Streams that wait, because an event could not be applied', 'reader'),
  auditPosition: gauge('audit_verified_position', 'Position up to which the last audit without a fault has verified the log'),
  auditSeconds: gauge('audit_age_seconds', 'Time since the last audit without a fault ended'),
  auditFaults: gauge('audit_faults', 'Faults that the last audit of the log has found', 'kind'),
  orders: gauge('orders', 'Orders that are not removed', 'status'),
  stuck: gauge('stuck', 'What should have happened more than a minute ago and has not', 'kind'),
  stuckSeconds: gauge('stuck_oldest_seconds', 'Time since the oldest of what is stuck should have happened', 'kind'),
  altered: gauge('altered_streams', 'Streams that were altered after they were written'),
  unreadable: gauge('unreadable_streams', 'Streams that need a newer version of the software'),
  httpConnections: gauge('http_connections', 'Open connections of clients'),
  poolOpen: gauge('pool_connections', 'Open connections of a pool', 'pool'),
  poolInUse: gauge('pool_connections_in_use', 'Connections of a pool that are in use', 'pool'),
  poolWaiting: gauge('pool_waiting', 'Requests that wait for a connection of a pool', 'pool'),
});

/** Sets the gauges of a lag. Does nothing for an unknown lag. */
const setLag = (events: Gauge, seconds: Gauge, lag: Lag | null, labels: Readonly<Record<string, string>>): void => {
  if (!lag) return;
  events.set(labels, lag.events);
  if (lag.seconds !== null) seconds.set(labels, lag.seconds);
};

/** Sets the known values. An unknown value is null or absent, and its gauge has no series. */
const setGauges = (gauges: ReturnType<typeof createGauges>, measured: Measurements): void => {
  for (const [projection, lag] of Object.entries(measured.projections))
    setLag(gauges.projectionEvents, gauges.projectionSeconds, lag, { projection });
  setLag(gauges.relayEvents, gauges.relaySeconds, measured.relay, {});
  for (const [consumer, { behind, parked }] of Object.entries(measured.consumers)) {
    gauges.consumerMessages.set({ consumer }, behind);
    gauges.parkedKeys.set({ consumer }, parked);
  }
  for (const [reader, streams] of Object.entries(measured.parkedStreams)) gauges.parkedStreams.set({ reader }, streams);
  if (measured.audit) {
    gauges.auditPosition.set(measured.audit.position);
    gauges.auditSeconds.set(measured.audit.seconds);
  }
  for (const [kind, faults] of Object.entries(measured.auditFaults)) gauges.auditFaults.set({ kind }, faults);
  for (const [status, orders] of Object.entries(measured.orders)) gauges.orders.set({ status }, orders);
  for (const [kind, { count, oldestSeconds }] of Object.entries(measured.stuck)) {
    gauges.stuck.set({ kind }, count);
    gauges.stuckSeconds.set({ kind }, oldestSeconds);
  }
  gauges.altered.set(measured.alteredStreams);
  gauges.unreadable.set(measured.unreadableStreams);
  if (measured.httpConnections !== null) gauges.httpConnections.set(measured.httpConnections);
  for (const [pool, { open, inUse, waiting }] of Object.entries(measured.pools)) {
    gauges.poolOpen.set({ pool }, open);
    gauges.poolInUse.set({ pool }, inUse);
    gauges.poolWaiting.set({ pool }, waiting);
  }
};
