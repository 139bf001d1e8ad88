import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { publicKeysOf, type PublicJwk } from '../../../../libs/audit/keys/proof-keys.js';
import { keyIdOf, type PublicKeys } from '../../../../libs/audit/proof/signatures.js';
import type { AuditFault } from '../../../../libs/audit/verify/audit-fault.js';
import { collectedIn, type CollectedCheckpoints } from '../../../../libs/audit/verify/collected-checkpoints.js';
import { forgeryOf } from '../../../../libs/audit/verify/genuine-checkpoints.js';
import { reasonOf } from '../../../../libs/eventsourcing/reason.js';
import { CommandError } from '../../errors/command-error.js';

const PEM_BLOCK = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g;

/** Reads public keys from a file: the output of `audit key`, or keys in PEM. Throws CommandError if the file has none. */
export const readPublicKeys = (path: string): PublicKeys => {
  const text = readText(path, '--key');
  try {
    const keys = text.trimStart().startsWith('{')
      ? publicKeysOf((JSON.parse(text) as { readonly keys: readonly PublicJwk[] }).keys)
      : new Map((text.match(PEM_BLOCK) ?? []).map((block) => createPublicKey(block)).map((key) => [keyIdOf(key), key]));
    if (keys.size > 0) return keys;
  } catch {
    // The message below says what the file must contain.
  }
  throw new CommandError(`--key ${path}: expected the output of "audit key", or Ed25519 public keys in PEM`);
};

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
  const { checkpoints, lines, unreadable } = collectedIn(readText(path, '--against'));
  if (checkpoints.length === 0 && unreadable.length === 0) throw new CommandError(`--against ${path}: no line has a checkpoint. ${REMEDY}`);
  for (const signed of checkpoints) {
    const reason = forgeryOf(keys, signed);
    if (reason !== null) throw new CommandError(`--against ${path}: checkpoint ${signed.checkpoint.index}: ${reason}`);
  }
  const faults = unreadable.map((line) => ({ kind: 'copy' as const, place: `${path}, line ${line}`, reason: UNREADABLE }));
  return { path, checkpoints, lines, faults };
};

const REMEDY = 'Pass the output of "audit checkpoints", the list of GET /v1/audit/checkpoints, or lines of the service log';
const UNREADABLE = 'it names a checkpoint and cannot be read';

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

/** Reads a text. Windows PowerShell redirects output as UTF-16, and other editors put a byte order mark before UTF-8. */
const readText = (path: string, option: string): string => {
  try {
    const bytes = readFileSync(path);
    return new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes);
  } catch (error) {
    throw new CommandError(`${option} ${path}: ${reasonOf(error)}`);
  }
};
