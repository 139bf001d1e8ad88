/** The defaults of the tracing settings, as OpenTelemetry defines them. */
export const TRACING_DEFAULTS = {
  isTracingDisabled: 'false',
  tracesExporter: 'otlp',
  traceIncoming: 'link',
  otlpProtocol: 'http/protobuf',
  tracesSampler: 'parentbased_always_on',
  tracesRatio: 1,
  spanQueueSize: 2_048,
  spanBatchSize: 512,
  spanDelayMilliseconds: 5_000,
  spanTimeoutMilliseconds: 30_000,
};
