import { describe, expect, it } from '@jest/globals';
import { decrypt, encrypt } from './cipher.js';

const KEY = new Uint8Array(32).fill(7);
const OTHER_KEY = new Uint8Array(32).fill(8);
/** A text that an earlier version stored. Stores contain such texts, so the format must not change. */
const STORED = 'RWP-jyML6iERQG4sm9DSBE5Dte9A9KD4NOskZvlE8WA';

describe('an encrypted text', () => {
  it('has the same bytes in every version', () => {
    expect(encrypt(KEY, 'Zoë', { owner: 'user-1', nonce: 'event 1 name' })).toBe(STORED);
    expect(decrypt(KEY, STORED, 'user-1')).toBe('Zoë');
  });

  it('cannot be decrypted with another key or owner, or once it was altered', () => {
    const altered = Buffer.from(STORED, 'base64url').map((byte, at) => (at === 12 ? byte ^ 1 : byte));
    expect(() => decrypt(OTHER_KEY, STORED, 'user-1')).toThrow();
    expect(() => decrypt(KEY, STORED, 'user-2')).toThrow();
    expect(() => decrypt(KEY, Buffer.from(altered).toString('base64url'), 'user-1')).toThrow();
  });
});
