import { createHash, createPublicKey, hash, verify, type KeyObject } from 'node:crypto';

/**
 * What a verification computes with: digests, signatures and encodings. The console verifies in a browser, whose build replaces this
 * module by apps/console/verify/primitives.ts. A spec there compares the two.
 */

/** An Ed25519 public key. */
export type PublicKey = KeyObject;

/**
 * Returns the SHA-256 of a text in UTF-8, or of bytes. Node computes a hash four times as fast if it returns a string and not a
 * buffer. So this function gets a string and converts it. `binary` is the older name of latin1.
 */
export const sha256 = (data: string | Uint8Array): Uint8Array => Buffer.from(hash('sha256', data, 'binary'), 'latin1');

/** Returns the SHA-256 of a text in UTF-8, base64url. */
export const sha256Text = (text: string): string => hash('sha256', text, 'base64url');

/** The SHA-256 of bytes that arrive in parts. `digest` returns it in base64url, once. */
export type RunningSha256 = { readonly update: (bytes: Uint8Array) => void; readonly digest: () => string };

export const startSha256 = (): RunningSha256 => {
  const running = createHash('sha256');
  return { update: (bytes) => void running.update(bytes), digest: () => running.digest('base64url') };
};

/** Returns the public key of a JWK with this `x` (RFC 8037). Throws if `x` does not have 32 bytes. */
export const publicKeyOf = (x: string): PublicKey => {
  if (bytesOf(x).length !== KEY_BYTES) throw new RangeError('the key is not an Ed25519 public key');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: textOf(bytesOf(x)) }, format: 'jwk' });
};

const KEY_BYTES = 32;

/** Returns the member `x` of the JWK of a public key. */
export const keyText = (key: PublicKey): string => String(key.export({ format: 'jwk' }).x);

/** Returns whether an Ed25519 signature of a text, base64url, is valid. */
export const isSignatureOf = (key: PublicKey, text: string, signature: string): boolean =>
  verify(null, Buffer.from(text), key, bytesOf(signature));

/** Returns the bytes of a text in base64url. Other characters are ignored: what a text states is decided by the digest of its bytes. */
export const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'base64url');

/** Returns bytes in base64url. */
export const textOf = (bytes: Uint8Array): string => bufferOf(bytes).toString('base64url');

/** Returns the text in UTF-8 between two places of bytes. */
export const utf8Of = (bytes: Uint8Array, from: number, to: number): string => bufferOf(bytes).toString('utf8', from, to);

export const concatenate = (one: Uint8Array, other: Uint8Array): Uint8Array => Buffer.concat([one, other]);

const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
