import { describe, expect, it } from '@jest/globals';
import type { Measurements } from '../../ports/metrics.port.js';
import { openPrometheusMetrics } from './prometheus-metrics.js';

const NOTHING: Measurements = {
  projections: {},
  relay: null,
  consumers: {},
  parkedStreams: {},
  audit: null,
  auditFaults: {},
  orders: {},
  stuck: {},
  alteredStreams: 0,
  unreadableStreams: 0,
  droppedLogLines: 0,
  httpConnections: null,
  pools: {},
};

const EVERYTHING: Measurements = {
  projections: { pets_v1: { events: 7, seconds: 40 }, orders_v1: { events: 0, seconds: null } },
  relay: { events: 5, seconds: 2.5 },
  consumers: { processes: { behind: 3, parked: 1 } },
  parkedStreams: { pets_v1: 2 },
  audit: { position: 900, seconds: 30 },
  auditFaults: { rewritten: 2 },
  orders: { placed: 8, approved: 0 },
  stuck: { 'order-not-approved': { count: 3, oldestSeconds: 61.5 }, 'delivery-overdue': { count: 0, oldestSeconds: 0 } },
  alteredStreams: 1,
  unreadableStreams: 2,
  droppedLogLines: 9,
  httpConnections: 12,
  pools: { mongodb: { open: 10, inUse: 4, waiting: 1 } },
};

/** Returns the lines about measured values. */
const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) =>
      /^petstore_(projection|relay|consumer|parked|audit|orders|stuck|altered|unreadable|log|http_connections|pool)/.test(line),
    );

describe('measured values', () => {
  it('have a series each', async () => {
    const metrics = openPrometheusMetrics();
    metrics.measureBy(async () => EVERYTHING);
    expect(linesOf(await metrics.text())).toEqual([
      'petstore_projection_lag_events{projection="pets_v1"} 7',
      'petstore_projection_lag_events{projection="orders_v1"} 0',
      'petstore_projection_lag_seconds{projection="pets_v1"} 40',
      'petstore_relay_lag_events 5',
      'petstore_relay_lag_seconds 2.5',
      'petstore_consumer_lag_messages{consumer="processes"} 3',
      'petstore_parked_keys{consumer="processes"} 1',
      'petstore_parked_streams{reader="pets_v1"} 2',
      'petstore_audit_verified_position 900',
      'petstore_audit_age_seconds 30',
      'petstore_audit_faults{kind="rewritten"} 2',
      'petstore_orders{status="placed"} 8',
      'petstore_orders{status="approved"} 0',
      'petstore_stuck{kind="order-not-approved"} 3',
      'petstore_stuck{kind="delivery-overdue"} 0',
      'petstore_stuck_oldest_seconds{kind="order-not-approved"} 61.5',
      'petstore_stuck_oldest_seconds{kind="delivery-overdue"} 0',
      'petstore_altered_streams 1',
      'petstore_unreadable_streams 2',
      'petstore_http_connections 12',
      'petstore_pool_connections{pool="mongodb"} 10',
      'petstore_pool_connections_in_use{pool="mongodb"} 4',
      'petstore_pool_waiting{pool="mongodb"} 1',
      'petstore_log_lines_dropped_total 9',
    ]);
  });

  it('have no series while they are unknown, also if they were known before', async () => {
    const metrics = openPrometheusMetrics();
    const known = ['petstore_altered_streams 0', 'petstore_unreadable_streams 0', 'petstore_log_lines_dropped_total 0'];
    expect(linesOf(await metrics.text())).toEqual(['petstore_log_lines_dropped_total 0']);
    metrics.measureBy(async () => EVERYTHING);
    await metrics.text();
    metrics.measureBy(async () => NOTHING);
    expect(linesOf(await metrics.text())).toEqual(known);
  });
});
