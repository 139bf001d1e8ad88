import type { Checkpoint } from '../../domain/checkpoints/checkpoint.events.js';
import { canonicalJson } from '../../eventsourcing/canonical-json.js';
import { isSignatureOf, sha256Text, type PublicKey } from './primitives.js';

/** The public keys with which signatures are verified, by key id. */
export type PublicKeys = ReadonlyMap<string, PublicKey>;

/** Returns whether a signature of a value is genuine. False if `keys` has no key with this id. */
export const isSignedBy = (keys: PublicKeys, keyId: string, value: unknown, signature: string): boolean => {
  const key = keys.get(keyId);
  return key !== undefined && isSignatureOf(key, canonicalJson(value), signature);
};

/** Returns the digest of a checkpoint, base64url. The next checkpoint has it as `previous`. */
export const checkpointDigest = (checkpoint: Checkpoint): string => sha256Text(canonicalJson(checkpoint));
