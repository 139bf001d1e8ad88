import { REMEDIES } from '../../../libs/runtime/projecting/stream-faults.js';
import type { HistoryFault } from '../../../libs/eventsourcing/history.js';
import { CommandError } from './command-error.js';

/** Shown of many; the number of the others follows. */
const MAX_LISTED = 50;

/** A command that did not do what it was asked for, or not all of it, since the history is not what was written. */
export class HistoryError extends CommandError {
  constructor(faults: readonly HistoryFault[], consequence: string) {
    super([...formatFaults(faults), consequence].join('\n'));
  }
}

/** Stream, revision and reason of each fault, and what to do about it. */
export const formatFaults = (faults: readonly HistoryFault[]): readonly string[] => [
  `The history is not what was written: ${faults.length === 1 ? '1 fault' : `${faults.length} faults`}.`,
  ...faults.slice(0, MAX_LISTED).map(({ stream, revision, reason }) => `  ${stream}, revision ${revision}: ${reason}`),
  ...(faults.length > MAX_LISTED ? [`  and ${faults.length - MAX_LISTED} more`] : []),
  ...[...new Set(faults.map(({ kind }) => kind))].map((kind) => `Remedy: ${REMEDIES[kind]}.`),
];
