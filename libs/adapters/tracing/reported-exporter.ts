import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Log } from '../../eventsourcing/ports/log.port.js';

/**
 * Wraps an exporter, which sends spans to the collector. Logs the first failure of each outage of the collector, and the end
 * of the outage. An export fails only after the exporter's own retries have failed. The spans of a failed export are dropped.
 */
export const reportOutages = (exporter: SpanExporter, log: Log): SpanExporter => {
  let dropped = 0;
  const report = (spans: number, failure: Error | undefined): void => {
    if (failure) {
      if (dropped === 0) log.warn({ reason: failure.message }, 'spans could not be sent to the collector and are dropped');
      dropped += spans;
    } else if (dropped > 0) {
      log.info({ dropped }, 'spans are sent to the collector again');
      dropped = 0;
    }
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        report(spans.length, result.error);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
};
