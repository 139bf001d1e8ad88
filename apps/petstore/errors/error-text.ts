import { SettingsError } from '../../../libs/settings/settings.js';
import { StoreUnavailable } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { CommandError } from './command-error.js';

/** An error class with messages for the operator. */
type ErrorClass = abstract new (...parts: never[]) => Error;

/**
 * Returns the message for the operator when a command fails with this error. Returns null for a bug of this program,
 * which is reported with its stack trace. `others` are further error classes whose messages are written for the operator.
 */
export const formatError = (error: unknown, others: readonly ErrorClass[]): string | null => {
  if (!(error instanceof Error)) return null;
  if ([CommandError, SettingsError, ...others].some((kind) => error instanceof kind)) return error.message;
  if (error instanceof StoreUnavailable) return `${error.message}. Run the command again when the server is available`;
  return isSystemError(error) ? `the system reports: ${error.message}` : null;
};

/** Returns whether an error comes from the operating system or from SQLite. */
const isSystemError = (error: Error): boolean => 'errcode' in error || ('syscall' in error && 'code' in error);
