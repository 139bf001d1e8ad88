import { EgressFailed, type EgressFault } from '../../ports/egress.port.js';

const textOf = (error: unknown, name: 'message' | 'code'): string =>
  typeof error === 'object' && error !== null && name in error ? String((error as Readonly<Record<string, unknown>>)[name]) : '';

/** Wraps an error as EgressFailed with `fault`. An EgressFailed keeps its own fault. */
export const egressFailure = (fault: EgressFault, error: unknown): EgressFailed =>
  error instanceof EgressFailed ? error : new EgressFailed(fault, textOf(error, 'message') || String(error), { cause: error });

/** Wraps an error that occurs after the connection is open. The error codes of Node's HTTP parser begin with HPE_. */
export const exchangeFailure = (error: unknown, hasResponseStarted: boolean): EgressFailed => {
  const code = textOf(error, 'code');
  if (code === 'HPE_HEADER_OVERFLOW') return egressFailure('answer_too_large', error);
  return egressFailure(hasResponseStarted || code.startsWith('HPE_') ? 'broken_answer' : 'unreachable', error);
};
