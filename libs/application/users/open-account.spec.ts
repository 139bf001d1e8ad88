import { describe, expect, it } from '@jest/globals';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { sealText } from '../../runtime/codec/sealing.js';
import { openAccount } from './open-account.js';

const KEY = new Uint8Array(32).fill(7);

/** Returns keys that are destroyed after some look-ups. */
const keysUntil = (lookUps: number): KeyVault => {
  let count = 0;
  return { personalKey: async () => (++count <= lookUps ? KEY : null) } as Partial<KeyVault> as KeyVault;
};

const sealed = async (): Promise<string> => {
  const seal = (text: string) => sealText(keysUntil(1), 'user:1', text, text);
  return JSON.stringify({ id: '1', username: await seal('ann'), email: await seal('ann@example.com') });
};

/** Proves contract 30.6. */
describe('an account', () => {
  it('is decrypted with the key of its person', async () => {
    expect(JSON.parse((await openAccount(keysUntil(2), await sealed())) ?? 'null')).toEqual({
      id: '1',
      username: 'ann',
      email: 'ann@example.com',
    });
  });

  it.each([0, 1])('is erased as a whole if the key is destroyed after %i of its values were decrypted', async (lookUps) => {
    expect(await openAccount(keysUntil(lookUps), await sealed())).toBeNull();
  });
});
