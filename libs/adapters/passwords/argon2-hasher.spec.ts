import { describe, expect, it } from '@jest/globals';
import argon2 from '@node-rs/argon2';
import { HasherBusy } from '../../ports/password-hasher.port.js';
import { argon2Hasher } from './argon2-hasher.js';

/** Proves contract 30.3. */
describe('the argon2 hasher', () => {
  it('hashes with argon2id and the documented parameters, each time with another salt', async () => {
    const hasher = argon2Hasher();
    const [one, other] = [await hasher.hash('correct horse'), await hasher.hash('correct horse')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(other).not.toBe(one);
  });

  it('accepts the password of a hash, and no other', async () => {
    const hasher = argon2Hasher();
    const hash = await hasher.hash('pässword 🐕');
    expect([await hasher.verify('pässword 🐕', hash), await hasher.verify('passwort', hash)]).toEqual(['correct', 'wrong']);
  });

  it('accepts a password in each form of its accents, but no password that only looks alike', async () => {
    const hasher = argon2Hasher();
    const hash = await hasher.hash('caf\u00e9 au lait');
    expect([await hasher.verify('cafe\u0301 au lait', hash), await hasher.verify('c\uff41f\u00e9 au lait', hash)]).toEqual([
      'correct',
      'wrong',
    ]);
  });

  it('accepts the password of a hash that is older than the form NFC, and says that the hash is outdated', async () => {
    const older = await argon2.hash('cafe\u0301 au lait', { algorithm: 2 });
    const hasher = argon2Hasher();
    const verified = ['cafe\u0301 au lait', 'caf\u00e9 au lait', 'cafe au lait'].map((password) => hasher.verify(password, older));
    expect(await Promise.all(verified)).toEqual(['outdated', 'wrong', 'wrong']);
  });

  it('accepts no password if there is no hash', async () => {
    expect(await argon2Hasher().verify('correct horse', null)).toBe('wrong');
  });

  it('rejects calls beyond a limit, and works again afterwards', async () => {
    const hasher = argon2Hasher(2);
    const calls = await Promise.allSettled(Array.from({ length: 60 }, () => hasher.hash('correct horse')));
    const reasons = calls.flatMap((call): readonly unknown[] => (call.status === 'rejected' ? [call.reason] : []));
    expect([reasons.length, reasons.every((reason) => reason instanceof HasherBusy)]).toEqual([8, true]);
    expect(await hasher.hash('correct horse')).toContain('$argon2id$');
  });
});
