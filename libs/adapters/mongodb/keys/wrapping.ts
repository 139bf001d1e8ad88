import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * How keys are stored: in plain text, or wrapped, which means encrypted with the key-encryption key. The location of a key
 * is its table and name.
 */
export type KeyWrapping = {
  wrap(location: string, key: Uint8Array): Uint8Array;
  /** Returns the key. Throws if the key was encrypted with another key-encryption key, or for another location. */
  unwrap(location: string, stored: Uint8Array): Uint8Array;
};

/** Stores keys in plain text: everyone with access to the database can read them. */
export const noWrapping: KeyWrapping = { wrap: (_, key) => key, unwrap: (_, stored) => stored };

const ENCRYPTION_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Wraps keys with AES-256-GCM, as nonce, ciphertext and tag. The location is authenticated, so that a key
 * cannot be copied to another location. Throws unless the key-encryption key has 32 bytes.
 */
export const wrapWith = (encryptionKey: Uint8Array): KeyWrapping => {
  if (encryptionKey.length !== ENCRYPTION_KEY_BYTES)
    throw new Error(`the key-encryption key has ${encryptionKey.length} bytes, not ${ENCRYPTION_KEY_BYTES}`);
  return {
    wrap(location, key) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce).setAAD(Buffer.from(location));
      return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
    },
    unwrap(location, stored) {
      const nonce = stored.subarray(0, NONCE_BYTES);
      const tag = stored.subarray(stored.length - TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(location));
      return Buffer.concat([decipher.setAuthTag(tag).update(stored.subarray(NONCE_BYTES, stored.length - TAG_BYTES)), decipher.final()]);
    },
  };
};
