import { eventually } from '../eventually.js';
import { openReceiver, type Receiver } from './receiver.js';

/** A span as a collector receives it, in the JSON format of OTLP. */
export type CollectedSpan = {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty or absent for the first span of a trace. */
  readonly parentSpanId?: string;
  /** 2 is a server, 3 a client, 4 a producer, 5 a consumer, 1 anything else. */
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: unknown }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** Code 2 is an error. */
  readonly status: { readonly code: number; readonly message?: string };
};

type Export = { readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[] }[] };

/** A collector of OpenTelemetry that keeps what it receives. */
export type Collector = {
  readonly receiver: Receiver;
  /** The settings of a service that sends its spans here, soon after they have ended. */
  readonly settings: Readonly<Record<string, string>>;
  spans(): readonly CollectedSpan[];
  /** Waits for a span with this name. */
  waitFor(name: string, within?: number): Promise<CollectedSpan>;
};

/** Opens a collector on a free port of this machine. */
export const openCollector = async (): Promise<Collector> => {
  const receiver = await openReceiver();
  receiver.respondWith(() => ({ status: 200, headers: { 'content-type': 'application/json' }, body: '{}' }));
  const spans = (): readonly CollectedSpan[] =>
    receiver.received.flatMap(({ body }) =>
      (JSON.parse(body) as Export).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    );
  return {
    receiver,
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '20',
    },
    spans,
    waitFor: (name, within) => eventually(`the span ${name}`, () => spans().find((span) => span.name === name), within),
  };
};

/**
 * Returns the path to each span of a trace: the names of all spans from the first one to this one. If the parent of a span is
 * missing, the path begins with a question mark in its place.
 */
export const pathsOf = (spans: readonly CollectedSpan[], traceId: string): readonly string[] => {
  const own = new Map(spans.filter((span) => span.traceId === traceId).map((span) => [span.spanId, span]));
  const pathTo = ({ name, parentSpanId = '' }: CollectedSpan): string => {
    const parent = own.get(parentSpanId);
    if (parent) return `${pathTo(parent)} > ${name}`;
    return parentSpanId === '' ? name : `? > ${name}`;
  };
  return [...own.values()].map(pathTo).sort();
};
