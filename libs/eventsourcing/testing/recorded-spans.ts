import type { Span, SpanEnd, SpanStart, Tracing } from '../ports/tracing.port.js';

/** A span that a test recorded. `end` is null until the span has ended. */
export type RecordedSpan = SpanStart & { readonly parent: string | null; readonly traceparent: string; end: SpanEnd | null };

/** Returns a `Tracing` that keeps its spans in memory. Span ids are numbers, so they are the same in every run. */
export const recordSpans = (): Tracing & { readonly spans: RecordedSpan[] } => {
  const spans: RecordedSpan[] = [];
  const start = (parent: string | null, given: SpanStart): Span => {
    const id = String(spans.length + 1);
    const trace = parent === null ? id.padStart(32, '0') : parent.slice(3, 35);
    const span: RecordedSpan = { ...given, parent, traceparent: `00-${trace}-${id.padStart(16, '0')}-01`, end: null };
    spans.push(span);
    return { traceparent: span.traceparent, end: (end = {}) => void (span.end = end) };
  };
  return { spans, startTrace: (describe) => start(null, describe()), startSpan: (parent, given) => start(parent, given) };
};
