import { createPublicKey, hash, sign, verify, type KeyObject } from 'node:crypto';
import type { Checkpoint, MessageCount, SignedCheckpoint, SignedCount } from '../../domain/checkpoints/checkpoint.events.js';
import { canonicalJson } from '../../eventsourcing/canonical-json.js';

/** A key that signs checkpoints and exports. */
export type ProofKey = { readonly keyId: string; readonly privateKey: KeyObject };

/** The public keys with which signatures are verified, by key id. */
export type PublicKeys = ReadonlyMap<string, KeyObject>;

/** Returns the thumbprint (RFC 7638) of an Ed25519 public key. */
export const keyIdOf = (publicKey: KeyObject): string => {
  const { crv, kty, x } = publicKey.export({ format: 'jwk' });
  return hash('sha256', canonicalJson({ crv, kty, x }), 'base64url');
};

/** Returns a proof key. Throws TypeError if the private key is not an Ed25519 key. */
export const proofKeyOf = (privateKey: KeyObject): ProofKey => {
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new TypeError('the key is not an Ed25519 key');
  return { keyId: keyIdOf(createPublicKey(privateKey)), privateKey };
};

/** Signs the canonical JSON of a value. Returns the signature in base64url. */
export const signValue = ({ privateKey }: ProofKey, value: unknown): string =>
  sign(null, Buffer.from(canonicalJson(value)), privateKey).toString('base64url');

/** Returns whether a signature of a value is genuine. False if `keys` has no key with this id. */
export const isSignedBy = (keys: PublicKeys, keyId: string, value: unknown, signature: string): boolean => {
  const key = keys.get(keyId);
  return key !== undefined && verify(null, Buffer.from(canonicalJson(value)), key, Buffer.from(signature, 'base64url'));
};

/** Returns the digest of a checkpoint, base64url. The next checkpoint has it as `previous`. */
export const checkpointDigest = (checkpoint: Checkpoint): string => hash('sha256', canonicalJson(checkpoint), 'base64url');

/** Signs a checkpoint. */
export const signCheckpoint = (key: ProofKey, statement: Omit<Checkpoint, 'keyId' | 'version'>): SignedCheckpoint => {
  const checkpoint: Checkpoint = { version: 'petstore-checkpoint/1', ...statement, keyId: key.keyId };
  return { checkpoint, signature: signValue(key, checkpoint) };
};

/** Signs a count of messages. */
export const signCount = (key: ProofKey, statement: Omit<MessageCount, 'keyId' | 'version'>): SignedCount => {
  const count: MessageCount = { version: 'petstore-count/1', ...statement, keyId: key.keyId };
  return { count, signature: signValue(key, count) };
};
