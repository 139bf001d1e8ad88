import { collectorForm } from './address-values.js';
import { choiceOf, spanCountForm, millisecondsForm, ratioForm } from './setting-values.js';

const PROTOCOL = choiceOf('http/protobuf', 'http/json');

/** The settings of traces (contract 25.8). OpenTelemetry defines their names. Without an endpoint, nothing is traced. */
export const TRACING = {
  isTracingDisabled: {
    name: 'OTEL_SDK_DISABLED',
    form: choiceOf('true', 'false'),
    default: 'false',
    meaning: '`true`: nothing is traced',
  },
  tracesExporter: {
    name: 'OTEL_TRACES_EXPORTER',
    form: choiceOf('otlp', 'none'),
    default: 'otlp',
    meaning: '`none`: nothing is traced',
  },
  traceIncoming: {
    name: 'TRACE_INCOMING',
    form: choiceOf('link', 'continue'),
    default: 'link',
    meaning:
      '`continue`: a request continues the trace of its caller, if it comes from TRUSTED_PROXIES, or its token has the scope `ops` or is that of a program. `link`: each request starts a trace, with a link to that of its caller',
  },
  otlpEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    form: collectorForm,
    default: null,
    meaning: 'URL of the collector of traces; `/v1/traces` is appended unless it ends so. Without a collector nothing is traced',
  },
  tracesEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    form: collectorForm,
    default: null,
    followsFrom: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    meaning: 'Complete URL, with its path, to which traces are sent; overrides `OTEL_EXPORTER_OTLP_ENDPOINT`',
  },
  otlpProtocol: {
    name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    form: PROTOCOL,
    default: 'http/protobuf',
    meaning: 'Format in which spans are sent, over HTTP; gRPC is not supported',
  },
  tracesProtocol: {
    name: 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
    form: PROTOCOL,
    default: null,
    followsFrom: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    meaning: 'Format in which spans are sent; overrides `OTEL_EXPORTER_OTLP_PROTOCOL`',
  },
  tracesSampler: {
    name: 'OTEL_TRACES_SAMPLER',
    form: choiceOf(
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ),
    default: 'parentbased_always_on',
    meaning:
      '`always_on` traces all requests, `always_off` none, `traceidratio` a share. The prefix `parentbased_` changes nothing, because this service alone decides what it records',
  },
  tracesRatio: {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    form: ratioForm,
    default: '1',
    meaning: 'The share of requests that `traceidratio` and `parentbased_traceidratio` trace',
  },
  spanQueueSize: {
    name: 'OTEL_BSP_MAX_QUEUE_SIZE',
    form: spanCountForm,
    default: '2048',
    meaning: 'The maximum number of spans that wait to be sent; when it is reached, new spans are dropped',
  },
  spanBatchSize: {
    name: 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
    form: spanCountForm,
    default: '512',
    meaning: 'The maximum number of spans in one request to the collector',
  },
  spanDelayMilliseconds: {
    name: 'OTEL_BSP_SCHEDULE_DELAY',
    form: millisecondsForm,
    default: '5000',
    meaning: 'The longest time until a span is sent, in milliseconds',
  },
  spanTimeoutMilliseconds: {
    name: 'OTEL_BSP_EXPORT_TIMEOUT',
    form: millisecondsForm,
    default: '30000',
    meaning: 'The longest time that sending may take, in milliseconds',
  },
} as const;
