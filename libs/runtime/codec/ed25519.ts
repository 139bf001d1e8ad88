import { createPrivateKey, type KeyObject } from 'node:crypto';

/** The bytes before a 32-byte Ed25519 seed in PKCS #8 (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Returns the Ed25519 private key of a seed of 32 bytes (RFC 8032). */
export const privateKeyOf = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
