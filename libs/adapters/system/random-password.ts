import { randomBytes } from 'node:crypto';

/** Returns random bytes for a secret or a key. */
export const secretBytes = (size: number): Uint8Array => randomBytes(size);

/** Returns a random password of 120 bits. */
export const randomPassword = (): string => randomBytes(15).toString('base64url');
