import { diag, DiagLogLevel } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Log } from '../../eventsourcing/ports/log.port.js';

/**
 * Wraps an exporter, which sends spans to the collector. Logs the first failure of each outage of the collector, and the end
 * of the outage. An export fails only after the exporter's own retries have failed. The spans of a failed export are dropped, and
 * so are those that the collector rejects in its answer to a successful one.
 */
export const reportOutages = (exporter: SpanExporter, log: Log): SpanExporter => {
  const takeRejected = hearRejections();
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
        const rejected = takeRejected();
        if (!result.error && rejected > 0) report(rejected, new Error(`the collector rejected ${rejected} of ${spans.length} spans`));
        else report(spans.length, result.error);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
};

/** The message of OpenTelemetry's SDK about a partial success. */
const PARTIAL_SUCCESS = /^Received Partial Success/;

/**
 * Returns a function that takes the number of spans that the last answer rejected. The SDK reports a partial success only to its
 * diagnostic log, right before it calls back that the export has succeeded.
 */
const hearRejections = (): (() => number) => {
  let rejected = 0;
  const ignore = (): void => undefined;
  const warn = (message: string, partialSuccess: unknown): void => {
    if (PARTIAL_SUCCESS.test(message)) rejected = rejectedSpans(String(partialSuccess));
  };
  diag.setLogger(
    { error: ignore, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  return () => {
    const taken = rejected;
    rejected = 0;
    return taken;
  };
};

/** Returns the number in the JSON of a partial success. The collector may send it as a text. */
const rejectedSpans = (partialSuccess: string): number =>
  Number((JSON.parse(partialSuccess) as { readonly rejectedSpans?: number | string }).rejectedSpans ?? 0) || 0;
