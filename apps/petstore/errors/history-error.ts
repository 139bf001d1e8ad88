import { REMEDIES } from '../../../libs/runtime/projecting/stream-faults.js';
import type { HistoryFault } from '../../../libs/eventsourcing/history.js';
import { CommandError } from './command-error.js';

/** The maximum number of faults that a message lists. */
const MAX_LISTED = 50;

/** Thrown when the history has faults. `consequence` says what the command did nevertheless, and what it did not do. */
export class HistoryError extends CommandError {
  constructor(faults: readonly HistoryFault[], consequence: string) {
    super([...formatFaults(faults), consequence].join('\n'));
  }
}

/** Formats the stream, revision and reason of each fault, and the remedy. */
export const formatFaults = (faults: readonly HistoryFault[]): readonly string[] => [
  `The history has ${faults.length === 1 ? '1 fault' : `${faults.length} faults`}.`,
  ...faults.slice(0, MAX_LISTED).map(({ stream, revision, reason }) => `  ${stream}, revision ${revision}: ${reason}`),
  ...(faults.length > MAX_LISTED ? [`  and ${faults.length - MAX_LISTED} more`] : []),
  ...[...new Set(faults.map(({ kind }) => kind))].map((kind) => `Remedy: ${REMEDIES[kind]}.`),
];
