import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** How a key is stored: as it is, or sealed by the key-encryption key. */
export type KeyWrapping = {
  wrap(place: string, key: Uint8Array): Uint8Array;
  /** Throws when it was not wrapped by this key at this place. */
  unwrap(place: string, stored: Uint8Array): Uint8Array;
};

/** Keys are stored as they are: anyone who can read the database has them. */
export const unwrapped: KeyWrapping = { wrap: (_, key) => key, unwrap: (_, stored) => stored };

const WRAPPING_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM: nonce, sealed key, tag. The place is authenticated, so that no key can be put in another's place. Throws
 * where the wrapping key has not 32 bytes.
 */
export const wrappedBy = (wrappingKey: Uint8Array): KeyWrapping => {
  if (wrappingKey.length !== WRAPPING_KEY_BYTES)
    throw new Error(`the key-encryption key has ${wrappingKey.length} bytes, not ${WRAPPING_KEY_BYTES}`);
  return {
    wrap(place, key) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', wrappingKey, nonce).setAAD(Buffer.from(place));
      return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
    },
    unwrap(place, stored) {
      const nonce = stored.subarray(0, NONCE_BYTES);
      const tag = stored.subarray(stored.length - TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', wrappingKey, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place));
      return Buffer.concat([decipher.setAuthTag(tag).update(stored.subarray(NONCE_BYTES, stored.length - TAG_BYTES)), decipher.final()]);
    },
  };
};
