import { EgressFailed, type EgressFault } from '../../ports/egress.port.js';

const textOf = (error: unknown, name: 'message' | 'code'): string =>
  typeof error === 'object' && error !== null && name in error ? String((error as Readonly<Record<string, unknown>>)[name]) : '';

/** The port's name for a failure; one that has a name keeps it. */
export const failed = (fault: EgressFault, error: unknown): EgressFailed =>
  error instanceof EgressFailed ? error : new EgressFailed(fault, textOf(error, 'message') || String(error), { cause: error });

/** What a failure of an exchange that had begun means: by the code of the HTTP parser, or of the system. */
export const exchangeFailed = (error: unknown, answering: boolean): EgressFailed => {
  const code = textOf(error, 'code');
  if (code === 'HPE_HEADER_OVERFLOW') return failed('answer_too_large', error);
  return failed(answering || code.startsWith('HPE_') ? 'broken_answer' : 'unreachable', error);
};
