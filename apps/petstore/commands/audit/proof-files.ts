import { readFileSync } from 'node:fs';
import type { PublicKeys } from '../../../../libs/audit/proof/signatures.js';
import type { AuditFault } from '../../../../libs/audit/verify/audit-fault.js';
import type { CollectedCheckpoints } from '../../../../libs/audit/verify/collected-checkpoints.js';
import * as kept from '../../../../libs/audit/verify/kept-files.js';
import { reasonOf } from '../../../../libs/eventsourcing/reason.js';
import { CommandError } from '../../errors/command-error.js';

/** Reads public keys from a file: the output of `audit key`, or keys in PEM. Throws CommandError if the file has none. */
export const readPublicKeys = (path: string): PublicKeys => readKept(path, '--key', kept.readPublicKeys);

/** The copies of checkpoints that were passed with `--against`. */
export type Copies = Omit<CollectedCheckpoints, 'unreadable'> & {
  readonly path: string;
  /** A fault for each line that names a checkpoint and cannot be read. */
  readonly faults: readonly (AuditFault & { readonly place: string })[];
};

/**
 * Reads the checkpoints in a file, in one of the forms of `collectedIn`. Throws CommandError if no line names a checkpoint, or
 * if the signature of a checkpoint does not match the keys.
 */
export const readCopies = (path: string, keys: PublicKeys): Copies => {
  const { checkpoints, lines, unreadable } = readKept(path, '--against', (text) => kept.readCheckpointCopies(text, keys));
  const faults = unreadable.map((line) => ({ kind: 'copy' as const, place: `${path}, line ${line}`, reason: kept.UNREADABLE }));
  return { path, checkpoints, lines, faults };
};

/** How many checkpoints of the copies were compared, for the output. */
export type Comparison = { readonly lines: number; readonly compared: number; readonly unreadable: number };

export const comparisonOf = ({ lines, faults }: Copies, compared: number): Comparison => ({ lines, compared, unreadable: faults.length });

/** Throws CommandError if nothing was compared, because the verification would prove less than the caller expects. */
export const requireCompared = ({ path }: Copies, compared: number, condition: string): void => {
  if (compared > 0) return;
  throw new CommandError(
    `--against ${path}: no checkpoint in it ${condition}, so nothing was compared. Add newer copies, or omit --against`,
  );
};

export const formatComparison = ({ lines, unreadable }: Comparison): string => `${lines} lines read and ${unreadable} unreadable`;

const readKept = <T>(path: string, option: string, read: (text: string) => T): T => {
  try {
    return read(kept.decodeText(readFileSync(path)));
  } catch (error) {
    throw new CommandError(`${option} ${path}: ${reasonOf(error)}`);
  }
};
