import { createPublicKey, type KeyObject } from 'node:crypto';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { privateKeyOf } from '../../runtime/codec/ed25519.js';

/** The key pair that signs order callbacks. */
export type CallbackKey = {
  readonly privateKey: KeyObject;
  /** The public key, 32 bytes. */
  readonly publicKey: Uint8Array;
};

const PUBLIC_KEY_BYTES = 32;

/** Derives the callback key (contract 17.7). Its seed is the service key `callback-signing`. */
export const openCallbackKey = async (keys: KeyVault): Promise<CallbackKey> => {
  const seed = await keys.serviceKey('callback-signing');
  const privateKey = privateKeyOf(seed);
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  // The DER form of the public key ends with its 32 bytes (RFC 8410).
  return { privateKey, publicKey: new Uint8Array(spki.subarray(-PUBLIC_KEY_BYTES)) };
};
