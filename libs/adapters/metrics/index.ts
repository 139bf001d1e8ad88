export { openPrometheusMetrics } from './prometheus-metrics.js';
export { serveMetrics } from './metrics-server.js';
