import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Measurements, Metrics } from '../../ports/metrics.port.js';
import { createMeasurements } from './measurements.js';

/** The beginning of the name of every metric (contract 25.6). */
const PREFIX = 'petstore_';

/** Upper bounds of buckets in seconds. A read by id is in the first bucket. A handler is stopped after 30 s (contract 26.1). */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Upper bounds of buckets in seconds. A commit of the embedded store is in the first bucket. An append with retries takes
 * seconds.
 */
const APPEND_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Gauges of prom-client whose names end like those of counters. Their values are the sums of gauges that remain. */
const SUMS = ['resources', 'handles', 'requests'] as const;

/** Metrics in the format of Prometheus. */
export type PrometheusMetrics = Metrics & {
  /** The value of the header Content-Type. */
  readonly contentType: string;
  /** Sets the function that measures the values. Each call of `text` calls this function. */
  measureBy(measure: () => Promise<Measurements>): void;
  /** Returns the current values in the text format, version 0.0.4. */
  text(): Promise<string>;
};

/**
 * Creates metrics that start at zero. They include the default metrics of the process: processor time, memory and
 * event-loop delay.
 */
export const openPrometheusMetrics = (): PrometheusMetrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: PREFIX });
  for (const name of SUMS) registry.removeSingleMetric(`${PREFIX}nodejs_active_${name}_total`);
  const setMeasurements = createMeasurements(registry, PREFIX);
  let measure: (() => Promise<Measurements>) | null = null;
  return {
    ...countRequests(registry),
    ...countCommands(registry),
    ...measureAppends(registry),
    ...countDeliveries(registry),
    ...countModelCalls(registry),
    contentType: registry.contentType,
    measureBy: (next) => void (measure = next),
    async text() {
      if (measure) setMeasurements(await measure());
      return registry.metrics();
    },
  };
};

const countRequests = (registry: Registry): Pick<Metrics, 'requestServed'> => {
  const registers = [registry];
  const requests = new Counter({
    name: `${PREFIX}http_requests_total`,
    help: 'Responses by method, route and status',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: `${PREFIX}http_request_duration_seconds`,
    help: 'Seconds from a request to the end of its response',
    labelNames: ['method', 'route'],
    buckets: REQUEST_BUCKETS,
    registers,
  });
  return {
    requestServed({ method, route, status, seconds }) {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
    },
  };
};

const countCommands = (registry: Registry): Pick<Metrics, 'commandHandled'> => {
  const commands = new Counter({
    name: `${PREFIX}commands_total`,
    help: 'Commands by type and outcome: accepted, unchanged, failed, or the reason of the rejection',
    labelNames: ['command', 'outcome'],
    registers: [registry],
  });
  return { commandHandled: (command, outcome) => commands.inc({ command, outcome }) };
};

const measureAppends = (registry: Registry): Pick<Metrics, 'appendStarted'> => {
  const registers = [registry];
  const durations = new Histogram({
    name: `${PREFIX}append_duration_seconds`,
    help: 'Seconds until an append to the log is durable, in conflict or failed',
    labelNames: ['outcome'],
    buckets: APPEND_BUCKETS,
    registers,
  });
  const conflicts = new Counter({
    name: `${PREFIX}append_conflicts_total`,
    help: 'Appends rejected because another writer appended to the stream first, by category of the stream',
    labelNames: ['category'],
    registers,
  });
  return {
    appendStarted(category) {
      const end = durations.startTimer();
      return (outcome) => {
        end({ outcome });
        if (outcome === 'conflict') conflicts.inc({ category });
      };
    },
  };
};

const countDeliveries = (registry: Registry): Pick<Metrics, 'deliveryAttempted'> => {
  const deliveries = new Counter({
    name: `${PREFIX}deliveries_total`,
    help: 'Attempts to deliver webhooks and callbacks, by outcome: delivered, failed, or why the delivery is parked',
    labelNames: ['target', 'outcome'],
    registers: [registry],
  });
  return { deliveryAttempted: (target, outcome) => deliveries.inc({ target, outcome }) };
};

const countModelCalls = (registry: Registry): Pick<Metrics, 'modelCalled'> => {
  const calls = new Counter({
    name: `${PREFIX}chat_model_calls_total`,
    help: 'Chats for which a language model was called, by outcome: answered, or why the built-in advisor answered',
    labelNames: ['outcome'],
    registers: [registry],
  });
  // Creates the series before the first call. Prometheus computes no rate for the first value of a series.
  calls.inc({ outcome: 'answered' }, 0);
  return { modelCalled: (outcome) => calls.inc({ outcome }) };
};
