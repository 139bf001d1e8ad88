import { SettingsError } from '../../../libs/settings/settings.js';
import { StoreUnavailable } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { CommandError } from './command-error.js';

/** Errors whose message says already what happened, which value it was and what to do. */
type ErrorClass = abstract new (...parts: never[]) => Error;

/**
 * What an operator reads when a command ends with this error: words, without a stack trace. Null for a fault of this
 * program, of which the stack trace is the best description. `others` are errors in words besides those of commands and settings.
 */
export const formatError = (error: unknown, others: readonly ErrorClass[]): string | null => {
  if (!(error instanceof Error)) return null;
  if ([CommandError, SettingsError, ...others].some((kind) => error instanceof kind)) return error.message;
  if (error instanceof StoreUnavailable) return `${error.message}. Try again once that is repaired`;
  return isSystemError(error) ? `this failed on the machine: ${error.message}` : null;
};

/** A file, a connection or a database that failed: the system's own errors, and SQLite's. */
const isSystemError = (error: Error): boolean => 'errcode' in error || ('syscall' in error && 'code' in error);
