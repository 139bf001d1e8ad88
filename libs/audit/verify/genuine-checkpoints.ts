import type { SignedCheckpoint } from '../../domain/checkpoints/checkpoint.events.js';
import { checkpointDigest, isSignedBy, type PublicKeys } from '../proof/signatures.js';
import type { AuditFault } from './audit-fault.js';

/** Returns whether an object has the members of a signed checkpoint that this code uses. Verifies no signature. */
export const isCheckpoint = (value: unknown): value is SignedCheckpoint => {
  if (!isObject(value)) return false;
  const { checkpoint, signature } = value as Partial<SignedCheckpoint>;
  if (!isObject(checkpoint) || typeof signature !== 'string') return false;
  const { size, index, root, tenants, keyId } = checkpoint as Partial<SignedCheckpoint['checkpoint']>;
  const isNumbered = typeof size === 'number' && typeof index === 'number';
  return isNumbered && typeof root === 'string' && typeof keyId === 'string' && Array.isArray(tenants);
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns why a checkpoint is not genuine, or null if it is. */
export const forgeryOf = (keys: PublicKeys, { checkpoint, signature }: SignedCheckpoint): string | null => {
  if (!keys.has(checkpoint.keyId)) return `the key ${checkpoint.keyId} is not among the known public keys`;
  return isSignedBy(keys, checkpoint.keyId, checkpoint, signature) ? null : 'its signature is not valid';
};

/** Checks the chain of the checkpoints in a log: signatures, numbers, sizes, times, and each link to the previous one. */
export class CheckpointChain {
  private before: SignedCheckpoint['checkpoint'] | null = null;

  constructor(private readonly keys: PublicKeys) {}

  /** Adds the next checkpoint. Returns why it is not genuine or does not follow the one before it, or null. */
  faultOf(signed: SignedCheckpoint): string | null {
    const { before } = this;
    // The next checkpoint is compared with this one even if this one has a fault.
    this.before = signed.checkpoint;
    return forgeryOf(this.keys, signed) ?? brokenLink(before, signed.checkpoint);
  }

  /** Adds the next checkpoint of the stream `checkpoint`. Returns its fault, or null. */
  add(revision: number, signed: SignedCheckpoint): AuditFault | null {
    const reason = this.faultOf(signed);
    return reason === null ? null : { kind: 'checkpoint', stream: 'checkpoint', revision, reason: `checkpoint ${revision}: ${reason}` };
  }
}

type Statement = SignedCheckpoint['checkpoint'];

const brokenLink = (before: Statement | null, { index, size, time, previous, store }: Statement): string | null => {
  if (previous !== (before ? checkpointDigest(before) : '')) return 'it does not follow the checkpoint before it';
  if (index !== (before?.index ?? -1) + 1) return `it has the index ${index} instead of ${(before?.index ?? -1) + 1}`;
  if (before && size <= before.size) return 'it covers no more events than the checkpoint before it';
  if (before && time < before.time) return 'it is older than the checkpoint before it';
  return before && store !== before.store ? 'it belongs to another store' : null;
};
