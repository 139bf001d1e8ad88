import type { Metrics } from '../../../../libs/ports/metrics.port.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import { explainListenError } from '../../errors/listen-error.js';
import { createMeasure, type MetricSources } from './measure.js';
import type { Log } from '../../logging/log.js';

/** The metrics of this process. */
export type ProcessMetrics = {
  /** Absent if METRICS_PORT is not set, because nothing is measured then. */
  readonly metrics?: Metrics;
  /** The URL that Prometheus scrapes, or null if METRICS_PORT is not set. */
  readonly url: string | null;
  /** Adds the sources whose values each scrape reads. A process calls this after it has opened the store. */
  measure(sources: MetricSources): void;
  /** Stops listening. A process calls this last, so that it can be observed while it stops. */
  close(): Promise<void>;
};

const OFF: ProcessMetrics = { url: null, measure: () => undefined, close: () => Promise.resolve() };

/**
 * Opens METRICS_PORT if it is set. A process calls this before it takes a lease or locks a folder: if the port is in use, the
 * process ends, and must leave no lease and no locked folder behind.
 */
export const openMetrics = async ({ metricsPort: port, metricsHost: host }: Settings, log: Log): Promise<ProcessMetrics> => {
  if (port === undefined) return OFF;
  // The package takes about 50 milliseconds to load, so only a process with metrics loads it.
  const { openPrometheusMetrics, serveMetrics } = await import('../../../../libs/adapters/metrics/index.js');
  const metrics = openPrometheusMetrics();
  try {
    const server = await serveMetrics(metrics, { host, port });
    log.info({ metrics: server.url }, 'metrics can be scraped');
    const measure = (sources: MetricSources): void => metrics.measureBy(createMeasure(sources));
    return { metrics, url: server.url, measure, close: () => server.close() };
  } catch (error) {
    throw explainListenError(error, { host, port, setting: 'METRICS_PORT' });
  }
};
