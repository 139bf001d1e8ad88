import { createPublicKey, sign, type KeyObject } from 'node:crypto';
import type { Checkpoint, MessageCount, SignedCheckpoint, SignedCount } from '../../domain/checkpoints/checkpoint.events.js';
import { canonicalJson } from '../../eventsourcing/canonical-json.js';
import { signedText, type ExportManifest } from '../export/manifest.js';
import { keyIdOf } from '../keys/public-keys.js';

/** A key that signs checkpoints and exports. */
export type ProofKey = { readonly keyId: string; readonly privateKey: KeyObject };

/** Returns a proof key. Throws TypeError if the private key is not an Ed25519 key. */
export const proofKeyOf = (privateKey: KeyObject): ProofKey => {
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new TypeError('the key is not an Ed25519 key');
  return { keyId: keyIdOf(createPublicKey(privateKey)), privateKey };
};

/** Signs the canonical JSON of a value. Returns the signature in base64url. */
const signValue = ({ privateKey }: ProofKey, value: unknown): string =>
  sign(null, Buffer.from(canonicalJson(value)), privateKey).toString('base64url');

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

/** Signs a manifest. Returns the text of manifest.json. */
export const signManifest = (key: ProofKey, statement: Omit<ExportManifest, 'keyId' | 'version'>): string => {
  const manifest: ExportManifest = { version: 'petstore-export/1', ...statement, keyId: key.keyId };
  return signedText({ manifest, signature: signValue(key, manifest) });
};
