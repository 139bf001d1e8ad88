import { describe, expect, it } from '@jest/globals';
import { openWebhookSecrets, activeSecrets, secretOwner, openCallbackKey } from './signing.js';

const keysOf = (byte: number) => ({
  names: [] as string[],
  async serviceKey(name: string) {
    this.names.push(name);
    return new Uint8Array(32).fill(byte);
  },
  personalKey: async () => null,
  destroyPersonalKey: async () => undefined,
});

const WEBHOOK = '0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c93';

describe('the secret of an endpoint', () => {
  it('is derived from the endpoint, the number of the secret and the service’s key, and is equal in every process', async () => {
    const keys = keysOf(1);
    const secret = (await openWebhookSecrets(keys)).of(WEBHOOK, 1);
    expect((await openWebhookSecrets(keysOf(1))).of(WEBHOOK, 1)).toBe(secret);
    expect(keys.names).toEqual(['webhook-secrets']);
  });

  it('differs for another endpoint, number or service', async () => {
    const [one, other] = [await openWebhookSecrets(keysOf(1)), await openWebhookSecrets(keysOf(2))];
    const secrets = [one.of(WEBHOOK, 1), one.of(WEBHOOK, 2), one.of(WEBHOOK.replace('9', '8'), 1), other.of(WEBHOOK, 1)];
    expect(new Set(secrets).size).toBe(4);
  });

  it('is the same for endpoints with the same name of their secrets, but only within a tenant', () => {
    const [own, one, other] = [undefined, 'my laptop', 'my server'].map((secretName) => ({ id: WEBHOOK, secretName }));
    const owners = [own, one, other].map((endpoint) => secretOwner(endpoint, 'acme'));
    expect(new Set([...owners, secretOwner({ id: WEBHOOK, secretName: 'my laptop' }, 'zoo')]).size).toBe(4);
    expect(owners[0]).toBe(WEBHOOK);
    expect(secretOwner({ id: WEBHOOK.replace('9', '8'), secretName: 'my laptop' }, 'acme')).toBe(owners[1]);
  });

  it('is whsec_ and the base64 of 32 bytes', async () => {
    const [, text = ''] = /^whsec_(.+)$/.exec((await openWebhookSecrets(keysOf(1))).of(WEBHOOK, 1)) ?? [];
    const bytes = Buffer.from(text, 'base64');
    expect([bytes.length, bytes.toString('base64')]).toEqual([32, text]);
  });
});

describe('the secrets that sign', () => {
  const rotatedAt = '2026-01-02T00:00:00.000Z';
  const at = (time: string) => activeSecrets({ secret: 3, rotatedAt }, new Date(time));

  it('are only the first secret before any rotation', () => expect(activeSecrets({ secret: 1, rotatedAt: null }, new Date())).toEqual([1]));
  it('are the new and the former secret for 24 hours after a rotation', () => {
    expect(at('2026-01-02T00:00:00.000Z')).toEqual([3, 2]);
    expect(at('2026-01-02T23:59:59.999Z')).toEqual([3, 2]);
  });
  it('include each former secret for 24 hours, also after several rotations', () => {
    const rotations = '2026-01-02T12:00:00.000Z 2026-01-02T06:00:00.000Z 2026-01-02T00:00:00.000Z';
    const numbersAt = (time: string) => activeSecrets({ secret: 4, rotatedAt: rotations }, new Date(time));
    expect(numbersAt('2026-01-02T12:00:00.000Z')).toEqual([4, 3, 2, 1]);
    expect(numbersAt('2026-01-03T00:00:00.000Z')).toEqual([4, 3, 2]);
    expect(numbersAt('2026-01-03T11:59:59.999Z')).toEqual([4, 3]);
    expect(numbersAt('2026-01-03T12:00:00.000Z')).toEqual([4]);
  });
  it('are at most the newest four after many rotations within 24 hours', () => {
    const minutes = Array.from({ length: 31 }, (_, minute) => new Date(Date.parse(rotatedAt) + (31 - minute) * 60_000).toISOString());
    const rotation = { secret: 32, rotatedAt: minutes.join(' ') };
    expect(activeSecrets(rotation, new Date('2026-01-02T00:31:00.000Z'))).toEqual([32, 31, 30, 29]);
    expect(activeSecrets(rotation, new Date('2026-01-03T00:29:00.000Z'))).toEqual([32, 31, 30]);
  });
  it('are only the new secret after 24 hours', () => expect(at('2026-01-03T00:00:00.000Z')).toEqual([3]));
});

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
