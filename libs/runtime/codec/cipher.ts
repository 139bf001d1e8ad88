import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

type CipherContext = {
  /** The owner of the text, for example a tenant. The cipher authenticates the owner: decryption with another one fails. */
  readonly owner: string;
  /** The nonce is derived from this value. Two different texts that are encrypted with one key must never share it. */
  readonly nonce: string;
};

/** Encrypts a text with AES-256-GCM. Returns nonce, ciphertext and tag as base64url. */
export const encrypt = (key: Uint8Array, text: string, context: CipherContext): string => {
  const nonce = createHmac('sha256', key).update(context.nonce).digest().subarray(0, NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(context.owner));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url');
};

/** Decrypts a text. Throws if the text was encrypted with another key or for another owner, or was altered. */
export const decrypt = (key: Uint8Array, encrypted: string, owner: string): string => {
  const bytes = Buffer.from(encrypted, 'base64url');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(owner));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
};
