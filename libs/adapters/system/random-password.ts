import { randomBytes } from 'node:crypto';

/** Returns a random password of 120 bits. */
export const randomPassword = (): string => randomBytes(15).toString('base64url');
