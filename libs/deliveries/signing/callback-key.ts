import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';

/** The key pair that signs order callbacks. */
export type CallbackKey = {
  readonly privateKey: KeyObject;
  /** The public key, 32 bytes. */
  readonly publicKey: Uint8Array;
};

/** The bytes before a 32-byte Ed25519 seed in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_KEY_BYTES = 32;

/** Derives the callback key (contract 17.7). Its seed is the service key `callback-signing`. */
export const openCallbackKey = async (keys: KeyVault): Promise<CallbackKey> => {
  const seed = await keys.serviceKey('callback-signing');
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return { privateKey, publicKey: new Uint8Array(spki.subarray(-PUBLIC_KEY_BYTES)) };
};
