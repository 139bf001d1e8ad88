import { remedyOf, type AuditFault } from '../../../libs/audit/verify/audit-fault.js';
import { CommandError } from './command-error.js';

/** The maximum number of faults that a message lists. */
const MAX_LISTED = 50;

/** Thrown when an audit has found faults. The message lists the kind and place of each fault, and a remedy for each kind. */
export class AuditError extends CommandError {
  constructor(faults: readonly AuditFault[]) {
    super(formatAuditFaults(faults).join('\n'));
  }
}

const formatAuditFaults = (faults: readonly AuditFault[]): readonly string[] => [
  `The audit found ${faults.length === 1 ? '1 fault' : `${faults.length} faults`}.`,
  ...faults.slice(0, MAX_LISTED).map((fault) => `  ${fault.kind}: ${placeOf(fault)}: ${fault.reason}`),
  ...(faults.length > MAX_LISTED ? [`  and ${faults.length - MAX_LISTED} more; --json lists all of them`] : []),
  ...[...new Set(faults.map(({ kind }) => kind))].map((kind) => `Remedy for ${kind}: ${remedyOf({ kind })}`),
];

const placeOf = ({ stream, revision, range, place }: AuditFault): string => {
  if (place !== undefined) return place;
  if (range) return `events ${range.from} to ${range.to} of the log`;
  return revision === undefined ? (stream ?? 'the log') : `${stream}, revision ${revision}`;
};
