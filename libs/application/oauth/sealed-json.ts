import { decrypt, encrypt } from '../../runtime/codec/cipher.js';

/**
 * Encrypts a value with a key of the service. `openJson` decrypts the result, and needs the same key and name. The nonce is
 * derived from the name and the value, so that two different values never share a nonce.
 */
export const sealJson = (key: Uint8Array, name: string, value: unknown): string => {
  const text = JSON.stringify(value);
  return encrypt(key, text, { owner: name, nonce: `${name}\n${text}` });
};

/** Decrypts a value. Throws if it was altered, or encrypted with another key or name. */
export const openJson = (key: Uint8Array, name: string, sealed: string): unknown => JSON.parse(decrypt(key, sealed, name));
