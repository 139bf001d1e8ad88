import { systemClock } from '../../../../libs/adapters/system/index.js';
import type { Log } from '../../../../libs/eventsourcing/ports/log.port.js';
import type { Tracing } from '../../../../libs/eventsourcing/ports/tracing.port.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import { VERSION } from '../../../api/installed.js';

/**
 * The path that is added to OTEL_EXPORTER_OTLP_ENDPOINT for traces, as OpenTelemetry defines it. An address that already has it was
 * meant for OTEL_EXPORTER_OTLP_TRACES_ENDPOINT.
 */
const TRACES_PATH = '/v1/traces';

/** The traces of this process. */
export type ProcessTracing = Tracing & {
  /** Sends the last spans. Waits two seconds at most. */
  close(): Promise<void>;
};

/**
 * Opens the traces. Returns null if the settings name no collector or switch tracing off (contract 25.8). Does not connect,
 * so the collector may be down.
 */
export const openTracing = async (settings: Settings, log: Log): Promise<ProcessTracing | null> => {
  const url = collectorOf(settings);
  if (url === null) return null;
  // The SDK takes about 50 milliseconds to load, so only a process with traces loads it.
  const { openOtlpTracing } = await import('../../../../libs/adapters/tracing/index.js');
  return openOtlpTracing({
    url,
    protocol: settings.tracesProtocol ?? settings.otlpProtocol,
    sampler: settings.tracesSampler,
    ratio: settings.tracesRatio,
    queue: {
      maxQueueSize: settings.spanQueueSize,
      maxExportBatchSize: settings.spanBatchSize,
      scheduledDelayMillis: settings.spanDelayMilliseconds,
      exportTimeoutMillis: settings.spanTimeoutMilliseconds,
    },
    version: VERSION,
    clock: systemClock,
    log,
  });
};

/** Returns the URL to which spans are sent, or null if nothing is traced. */
const collectorOf = ({ isTracingDisabled, tracesExporter, tracesEndpoint, otlpEndpoint }: Settings): string | null => {
  if (isTracingDisabled === 'true' || tracesExporter === 'none') return null;
  if (tracesEndpoint !== undefined || otlpEndpoint === undefined) return tracesEndpoint ?? null;
  return otlpEndpoint.endsWith(TRACES_PATH) ? otlpEndpoint : otlpEndpoint + TRACES_PATH;
};
