import { INVALID_SPANID, INVALID_TRACEID, TraceFlags, type SpanContext } from '@opentelemetry/api';

/** A traceparent of version 00 of W3C Trace Context. */
const TRACEPARENT = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

/** Returns the ids in a traceparent, or null if it is invalid. */
export const parseTraceparent = (text: string): SpanContext | null => {
  const [, traceId = INVALID_TRACEID, spanId = INVALID_SPANID, flags = '0'] = TRACEPARENT.exec(text) ?? [];
  if (traceId === INVALID_TRACEID || spanId === INVALID_SPANID) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
};

/** Returns the traceparent of a recorded span. */
export const formatTraceparent = ({ traceId, spanId }: SpanContext): string => `00-${traceId}-${spanId}-01`;
