import { createHash, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { KeyVault, ServiceKey, ServiceKeyList } from '../../eventsourcing/ports/key-vault.port.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { signCheckpoint } from '../proof/signing.js';
import { forgeryOf } from '../verify/genuine-checkpoints.js';
import { openProofKeys } from './proof-keys.js';

const pem = (): string => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const STATEMENT = { store: 's', index: 0, size: 1, root: 'r', time: 't', previous: '', tenants: [] };

const notNeeded = (): never => {
  throw new Error('no personal key is needed');
};

/** Creates a vault in memory. `times` has the name of each key, and the time at which the key was created. */
const vaultOf = (times: Readonly<Record<string, number>>): KeyVault & Pick<ServiceKeyList, 'serviceKeys'> => {
  const keys = new Map<string, ServiceKey>();
  const add = (name: string, createdAt: Date): void => {
    if (!keys.has(name)) keys.set(name, { name, key: createHash('sha256').update(name).digest(), createdAt, requests: [], waits: 0 });
  };
  for (const [name, time] of Object.entries(times)) add(name, new Date(time));
  return {
    async serviceKey(name, createdAt = new Date(0)) {
      add(name, createdAt);
      return keys.get(name)?.key ?? notNeeded();
    },
    serviceKeys: async () => [...keys.values()],
    personalKey: notNeeded,
    destroyPersonalKey: notNeeded,
  };
};

const open = (times: Readonly<Record<string, number>>, fileText?: string) =>
  openProofKeys({ vault: vaultOf(times), clock: manualClock() }, fileText);

/** Proves contract 35.3. */
describe('the keys of checkpoints', () => {
  it('are the keys of the vault, the newest first; the first key is created when it is needed', async () => {
    const keys = open({ 'token-signing': 5 });
    expect([(await keys.publicKeys()).size, await keys.list()]).toEqual([0, []]);
    const { keyId } = await keys.newest();
    expect([...(await keys.publicKeys()).keys()]).toEqual([keyId]);
    const rotated = open({ 'checkpoint-signing': 9, 'checkpoint-signing/1': 1, 'checkpoint-signing/2': 2 });
    expect([...(await rotated.publicKeys()).keys()][2]).toBe(keyId);
    expect((await rotated.list()).map(({ createdAt }) => createdAt?.getTime())).toEqual([2, 1, 9]);
  });

  it('begin with the keys of the file, and continue with the keys of the vault', async () => {
    const keys = open({ 'checkpoint-signing': 1 }, pem() + pem());
    const { keyId } = await keys.newest();
    expect([...(await keys.publicKeys()).keys()].indexOf(keyId)).toBe(0);
    expect((await keys.list()).map(({ createdAt }) => createdAt?.getTime() ?? null)).toEqual([null, null, 1]);
  });

  it.each(['', 'text', generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string])(
    'are not taken from a file with %j',
    (text) => expect(() => open({}, text)).toThrow(/Ed25519 private keys in PEM/),
  );
});

/** Proves contract 35.3. */
describe('a rotation of the keys of checkpoints', () => {
  it('creates the key that signs, and the former key still verifies its own signatures', async () => {
    const keys = open({});
    const before = signCheckpoint(await keys.newest(), STATEMENT);
    const rotated = await keys.rotate('a');
    const after = signCheckpoint(await keys.newest(), STATEMENT);
    expect(rotated).toMatchObject({ key: { keyId: after.checkpoint.keyId }, replayed: false });
    expect(after.checkpoint.keyId).not.toBe(before.checkpoint.keyId);
    expect((await keys.withId(before.checkpoint.keyId)).keyId).toBe(before.checkpoint.keyId);
    expect((await keys.withId('unknown')).keyId).toBe(after.checkpoint.keyId);
    const publicKeys = await keys.publicKeys();
    expect([...publicKeys.keys()]).toEqual([after.checkpoint.keyId, before.checkpoint.keyId]);
    expect([before, after].map((signed) => forgeryOf(publicKeys, signed))).toEqual([null, null]);
  });

  it('is made once per id, and replayed for a repeated id', async () => {
    const keys = open({ 'checkpoint-signing': 1 });
    const first = await keys.rotate('a');
    await keys.rotate('b');
    expect(await keys.rotate('a')).toEqual({ ...Object(first), replayed: true });
    expect(await keys.list()).toHaveLength(3);
  });

  it('also creates the first key if there is none, so that the new key is never the oldest', async () => {
    const keys = open({});
    await keys.rotate('a');
    expect(await keys.list()).toHaveLength(2);
  });

  it('creates a key that is newer than a key with a future time', async () => {
    const later = manualClock().now().getTime() + 60_000;
    const keys = open({ 'checkpoint-signing': 1, 'checkpoint-signing/1': later });
    const rotated = await keys.rotate('a');
    expect(rotated).toMatchObject({ key: { keyId: (await keys.newest()).keyId, createdAt: new Date(later + 1) } });
  });

  it('creates no key if the signing key is in a file', async () => {
    const keys = open({ 'checkpoint-signing': 1 }, pem());
    expect(await keys.rotate('a')).toBe('in file');
    expect(await keys.list()).toHaveLength(2);
  });
});
