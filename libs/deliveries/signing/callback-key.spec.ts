import { describe, expect, it } from '@jest/globals';
import { openCallbackKey } from './callback-key.js';

/** RFC 8032, 7.1, test 2: a seed and its public key. */
const SEED = Buffer.from('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb', 'hex');
const PUBLIC = '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c';

const keys = {
  serviceKey: async (name: string) => (name === 'callback-signing' ? new Uint8Array(SEED) : new Uint8Array(32)),
  personalKey: async () => null,
  destroyPersonalKey: async () => undefined,
};

describe('the callback key', () => {
  it('is the key pair of the seed in the key vault', async () =>
    expect(Buffer.from((await openCallbackKey(keys)).publicKey).toString('hex')).toBe(PUBLIC));
});
