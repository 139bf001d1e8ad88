import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context, type Span as OtelSpan, type Tracer } from '@opentelemetry/api';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Log } from '../../eventsourcing/ports/log.port.js';
import type { Span, SpanEnd, SpanStart, Tracing } from '../../eventsourcing/ports/tracing.port.js';
import { reportOutages } from './reported-exporter.js';
import { samplingOf, type SamplerName } from './sampler.js';
import { formatTraceparent, parseTraceparent } from './traceparent.js';

export type OtlpTracingOptions = {
  /** The address that receives the spans, with its path. */
  readonly url: string;
  readonly protocol: 'http/json' | 'http/protobuf';
  readonly sampler: SamplerName;
  /** The share of traces, from 0 to 1, for samplers whose name ends with `traceidratio`. Other samplers ignore the share. */
  readonly ratio: number;
  /** Limits of the queue of ended spans. A span that ends while the queue is full is dropped. */
  readonly queue: {
    readonly maxQueueSize: number;
    readonly maxExportBatchSize: number;
    readonly scheduledDelayMillis: number;
    readonly exportTimeoutMillis: number;
  };
  /** The version of this software. */
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
};

/** Traces that are sent to a collector. */
export type OtlpTracing = Tracing & {
  /** Sends the spans that have ended. Waits for the collector at most FLUSH_WITHIN, and logs a warning after that. */
  close(): Promise<void>;
};

/**
 * The maximum number of traces that start in a second (contract 25.8). Each span takes about ten microseconds of processor
 * time. Under load, tracing every request would slow the service down. Whole traces are left out, because a trace with gaps is
 * useless.
 */
const MAX_TRACES_PER_SECOND = 200;

/** Milliseconds that a stop waits for the collector (contract 25.8). Spans that are not sent by then are lost. */
const FLUSH_WITHIN = 2_000;

/**
 * Opens traces that are sent in the background to a collector, by OTLP over HTTP (contract 25.8). Connects only when spans
 * are sent. The SDK reads the standard variables for headers, certificates, timeouts and the resource from the environment.
 */
export const openOtlpTracing = async (options: OtlpTracingOptions): Promise<OtlpTracing> => {
  const { clock, log, queue, version } = options;
  const exporter = reportOutages(await openExporter(options), log);
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'petstore', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    // `startTrace` and `startSpan` decide what is recorded, so the SDK records every span that it creates.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...queue })],
  });
  const tracer = provider.getTracer('petstore', version);
  const { newTraces, recordedTraces } = samplingOf(options.sampler, options.ratio);
  const starts = limitPerSecond(MAX_TRACES_PER_SECOND, clock);
  return {
    startTrace(describe) {
      if (!starts.isAllowed() || Math.random() >= newTraces) return null;
      starts.count();
      const { linked, ...start } = describe();
      const context = linked === undefined ? null : parseTraceparent(linked);
      return startSpan(tracer, start, ROOT_CONTEXT, context ? [{ context }] : []);
    },
    startSpan(parent, start) {
      const context = recordedTraces ? parseTraceparent(parent) : null;
      return context && startSpan(tracer, start, trace.setSpanContext(ROOT_CONTEXT, context));
    },
    async close() {
      let cancel = (): void => undefined;
      const late = new Promise<'late'>((resolve) => (cancel = clock.after(FLUSH_WITHIN, () => resolve('late'))));
      const flushed = provider.shutdown().catch(() => undefined);
      if ((await Promise.race([flushed, late])) === 'late') log.warn({}, 'the last spans were not sent: the collector did not respond');
      cancel();
    },
  };
};

/** Counts the starts of traces. One second after the first start, the count begins again at 0. */
const limitPerSecond = (most: number, clock: Clock) => {
  let counted = 0;
  return {
    isAllowed: (): boolean => counted < most,
    count(): void {
      if (counted === 0) clock.after(1_000, () => void (counted = 0));
      counted++;
    },
  };
};

/** Each protocol has a package of its own, which is loaded only if the protocol is used. */
const openExporter = async ({ url, protocol }: OtlpTracingOptions): Promise<SpanExporter> => {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter({ url });
};

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

const startSpan = (
  tracer: Tracer,
  { name, kind, attributes }: SpanStart,
  parent: Context,
  links: readonly { readonly context: ReturnType<OtelSpan['spanContext']> }[] = [],
): Span => {
  const span = tracer.startSpan(name, { kind: KINDS[kind], links: [...links], ...(attributes && { attributes }) }, parent);
  return { traceparent: formatTraceparent(span.spanContext()), end: (end) => endSpan(span, end) };
};

const endSpan = (span: OtelSpan, { attributes, failed = false }: SpanEnd = {}): void => {
  if (attributes) span.setAttributes(attributes);
  // The status has no message, because the message of an error may contain anything, even personal data.
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
};
