import type { ExportFault } from '../../../libs/audit/export/verify-export.js';
import { CommandError } from './command-error.js';

/** The maximum number of faults that a message lists. */
const MAX_LISTED = 50;

/** Thrown when the log is altered and cannot be exported, or when an export was altered. The message says where. */
export class ExportError extends CommandError {
  /** Lists the faults of an export, each with its place. */
  static of(faults: readonly ExportFault[]): ExportError {
    const lines = [
      `The export has ${faults.length === 1 ? '1 fault' : `${faults.length} faults`}.`,
      ...faults.slice(0, MAX_LISTED).map(({ place, reason }) => `  ${place}: ${reason}`),
      ...(faults.length > MAX_LISTED ? [`  and ${faults.length - MAX_LISTED} more; --json lists all of them`] : []),
      'Remedy: Keep the folder as evidence, check that --key has the keys of this service, and export again.',
    ];
    return new ExportError(lines.join('\n'));
  }
}
