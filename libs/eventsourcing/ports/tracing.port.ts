/** What a span describes: a received request, a call to another system, a sent or a handled message, or other work. */
export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

/** Values are numbers or constant texts. They never contain an id, a path, an address, a token or a part of a body. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A span that is about to start. Its name is one of a few constants in the code. */
export type SpanStart = { readonly name: string; readonly kind: SpanKind; readonly attributes?: SpanAttributes };

/** The first span of a trace. `linked` is a traceparent from outside, which may be any text. */
export type TraceStart = SpanStart & { readonly linked?: string };

/** How the work of a span ended. */
export type SpanEnd = { readonly attributes?: SpanAttributes; readonly failed?: boolean };

/** A span that has started. */
export interface Span {
  /** Identifies the span and its trace, for the work that the span causes: `00-<trace id>-<span id>-01`. The ids are random. */
  readonly traceparent: string;
  /** Ends the span. The adapter sends the span later. */
  end(end?: SpanEnd): void;
}

/**
 * Records spans, which show what a request caused and how long each step took. Calls return at once and never throw,
 * also while the spans cannot be sent.
 */
export interface Tracing {
  /**
   * Starts the first span of a new trace. The span has a link to `linked`, but the ids and the sampling of the trace do not
   * depend on `linked`. Returns null, without calling `describe`, if the trace is not sampled or if too many traces started
   * in this second. Without this span, nothing of the request is traced.
   */
  startTrace(describe: () => TraceStart): Span | null;
  /**
   * Starts a child of the span `parent`, which another process may have started. Returns null if `parent` is not a
   * valid traceparent, or if the sampler setting records no traces.
   */
  startSpan(parent: string, start: SpanStart): Span | null;
}

/**
 * Runs work in a new span, a child of the span `parent`. The work gets the traceparent of the new span, and passes it on.
 * Without tracing or without a parent there is no span, and the work gets `parent`. `endOf` derives the end of the span from
 * the result of the work.
 */
export const inSpan = <T>(
  tracing: Pick<Tracing, 'startSpan'> | undefined,
  parent: string | undefined,
  start: SpanStart,
  work: (traceparent: string | undefined) => Promise<T>,
  endOf?: (result: T) => SpanEnd,
): Promise<T> => {
  const span = tracing && parent !== undefined ? tracing.startSpan(parent, start) : null;
  return span ? endWith(span, work(span.traceparent), endOf) : work(parent);
};

const endWith = async <T>(span: Span, working: Promise<T>, endOf?: (result: T) => SpanEnd): Promise<T> => {
  try {
    const result = await working;
    span.end(endOf?.(result));
    return result;
  } catch (error) {
    span.end({ failed: true });
    throw error;
  }
};

/** Returns `context` with this traceparent, so that work in the context continues the trace. Without one, returns `context`. */
export const continueTrace = <Context extends object>(context: Context, traceparent: string | undefined): Context =>
  traceparent === undefined ? context : { ...context, traceparent };

/** The length of a traceparent up to the end of its trace id. */
const TRACE_ID_END = 35;

/**
 * Returns the traceparent of a message, or that of its event if the two have different trace ids. Only the traceparent of the
 * event is trusted: other writers can put false values into a topic, but not into the log.
 */
export const parentOfMessage = (ofMessage: string | undefined, ofEvent: string | undefined): string | undefined =>
  ofMessage !== undefined && ofEvent?.slice(0, TRACE_ID_END) === ofMessage.slice(0, TRACE_ID_END) ? ofMessage : ofEvent;
