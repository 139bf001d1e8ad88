import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { KeyLookup, KeyVault, PersonalKeyList, ServiceKeyList } from '../../libs/eventsourcing/ports/key-vault.port.js';

/** A vault, and a function that closes it. */
export type KeyVaultUnderTest = {
  readonly keys: KeyVault & ServiceKeyList & PersonalKeyList & KeyLookup;
  readonly close: () => Promise<void>;
};

const hex = (key: Uint8Array | null): string => Buffer.from(key ?? []).toString('hex');

/** The contract of KeyVault. It proves contract 23.7: a destroyed key cannot be used again. */
export const keyVaultContract = (name: string, make: () => Promise<KeyVaultUnderTest>): void => {
  describe(`${name} as a key vault`, () => {
    let keys: KeyVault & ServiceKeyList & PersonalKeyList & KeyLookup;
    let close: () => Promise<void>;
    beforeEach(async () => void ({ keys, close } = await make()));
    afterEach(() => close());

    it('creates a key of 32 bytes on the first request, and returns the same one later', async () => {
      const [service, personal] = [await keys.serviceKey('signing'), await keys.personalKey('anna')];
      expect([service.length, personal?.length]).toEqual([32, 32]);
      expect(hex(await keys.serviceKey('signing'))).toBe(hex(service));
      expect(hex(await keys.personalKey('anna'))).toBe(hex(personal));
    });

    it('creates a different key for every name and every person', async () => {
      const made = [await keys.serviceKey('a'), await keys.serviceKey('b'), await keys.personalKey('a'), await keys.personalKey('b')];
      expect(new Set(made.map(hex)).size).toBe(4);
    });

    it('creates one key for concurrent requests', async () => {
      const made = await Promise.all(
        Array.from({ length: 50 }, (_, index) => (index % 2 ? keys.personalKey('anna') : keys.serviceKey('signing'))),
      );
      expect(new Set(made.map(hex)).size).toBe(2);
    });

    it('destroys a person’s key permanently', async () => {
      await keys.personalKey('anna');
      await keys.destroyPersonalKey('anna');
      expect(await keys.personalKey('anna')).toBeNull();
      await keys.destroyPersonalKey('anna');
      expect(await keys.personalKey('anna')).toBeNull();
    });

    it('creates no key for a person after a destruction, even if none existed', async () => {
      await keys.destroyPersonalKey('anna');
      expect(await keys.personalKey('anna')).toBeNull();
    });

    it('destroys a key that is being created', async () => {
      const made = keys.personalKey('anna');
      await keys.destroyPersonalKey('anna');
      await made;
      expect(await keys.personalKey('anna')).toBeNull();
    });

    it('returns existing keys without creating any', async () => {
      expect([await keys.lookUp('personal', 'anna'), await keys.lookUp('service', 'anna')]).toEqual([undefined, undefined]);
      const made = await keys.personalKey('anna');
      expect(hex((await keys.lookUp('personal', 'anna')) ?? null)).toBe(hex(made));
      expect(await keys.lookUp('service', 'anna')).toBeUndefined();
      await keys.destroyPersonalKey('anna');
      expect(await keys.lookUp('personal', 'anna')).toBeNull();
    });

    it('lists the service keys by name, with the time of each, and no personal keys', async () => {
      expect(await keys.serviceKeys()).toEqual([]);
      const createdAt = new Date('2026-03-04T05:06:07.890Z');
      const [second, first] = [await keys.serviceKey('tokens/b', createdAt), await keys.serviceKey('tokens')];
      await keys.personalKey('anna');
      const listed = await keys.serviceKeys();
      expect(listed.map(({ name, key }) => [name, hex(key)])).toEqual([
        ['tokens', hex(first)],
        ['tokens/b', hex(second)],
      ]);
      expect(listed.map((key) => key.createdAt)).toEqual([expect.any(Date), createdAt]);
    });

    it('lists the personal keys by name, also the destroyed ones, and no service keys (contract 38.2)', async () => {
      const names = Array.from({ length: 1_500 }, (_, index) => `person-${String(index).padStart(4, '0')}`);
      // Creates 50 keys at a time, because a connection pool rejects requests that wait too long for a connection.
      for (let from = 0; from < names.length; from += 50)
        await Promise.all(names.slice(from, from + 50).map((name) => keys.personalKey(name)));
      await keys.destroyPersonalKey('person-0007');
      await keys.destroyPersonalKey('never-created');
      await keys.serviceKey('signing');
      const listed: [string, boolean][] = [];
      for await (const { name, isDestroyed } of keys.personalKeys()) listed.push([name, isDestroyed]);
      expect(listed.map(([name]) => name)).toEqual(['never-created', ...names]);
      expect(listed.filter(([, isDestroyed]) => isDestroyed).map(([name]) => name)).toEqual(['never-created', 'person-0007']);
    });

    it('keeps the time of a key that exists', async () => {
      await keys.serviceKey('tokens', new Date('2026-03-04T05:06:07.890Z'));
      await keys.serviceKey('tokens', new Date('2027-03-04T05:06:07.890Z'));
      expect((await keys.serviceKeys()).map(({ createdAt }) => createdAt?.toISOString())).toEqual(['2026-03-04T05:06:07.890Z']);
    });

    it('removes a service key, and creates another one for its name', async () => {
      const [former, other] = [await keys.serviceKey('tokens'), await keys.serviceKey('signing')];
      for (let times = 0; times < 2; times++) await keys.removeServiceKey('tokens');
      expect((await keys.serviceKeys()).map(({ name }) => name)).toEqual(['signing']);
      expect(await keys.lookUp('service', 'tokens')).toBeUndefined();
      expect(hex(await keys.serviceKey('tokens'))).not.toBe(hex(former));
      expect(hex(await keys.serviceKey('signing'))).toBe(hex(other));
    });

    it('stores an added key of any length once: of concurrent calls under one name, one wins', async () => {
      const added = Array.from({ length: 5 }, (_, index) => new Uint8Array(1_200 + index).fill(index + 1));
      const won = await Promise.all(added.map((key) => keys.addServiceKey('pairs/a', key)));
      expect(won.filter(Boolean)).toHaveLength(1);
      const [stored] = await keys.serviceKeys();
      expect([stored?.name, hex(stored?.key ?? null), stored?.waits]).toEqual(['pairs/a', hex(added[won.indexOf(true)] ?? null), 0]);
      expect(stored?.createdAt).toBeInstanceOf(Date);
      expect(stored).not.toHaveProperty('activatesAt');
      expect(await keys.addServiceKey('pairs/a', new Uint8Array(9))).toBe(false);
      expect(hex(await keys.serviceKey('pairs/a'))).toBe(hex(stored?.key ?? null));
    });

    it('replaces no key that was created', async () => {
      const created = await keys.serviceKey('tokens', new Date('2026-03-04T05:06:07.890Z'));
      expect(await keys.addServiceKey('tokens', new Uint8Array(1_200).fill(1), { wait: 1_000 })).toBe(false);
      expect((await keys.serviceKeys()).map(({ key, createdAt, waits }) => [hex(key), createdAt?.toISOString(), waits])).toEqual([
        [hex(created), '2026-03-04T05:06:07.890Z', 0],
      ]);
    });

    it('says how long an added key waits, until the wait is ended, and whose requests these were', async () => {
      await keys.addServiceKey('pairs/a', new Uint8Array(40).fill(1), { wait: 600_000, request: 'one' });
      const [waiting] = await keys.serviceKeys();
      expect(waiting?.waits).toBeGreaterThan(590_000);
      expect(waiting?.waits).toBeLessThanOrEqual(600_000);
      expect((waiting?.activatesAt?.getTime() ?? 0) - (waiting?.createdAt?.getTime() ?? 0)).toBe(600_000);
      expect(waiting?.requests).toEqual(['one']);
      for (const name of ['pairs/a', 'pairs/a', 'pairs/b']) await keys.activateServiceKey(name, `${name} again`);
      const listed = await keys.serviceKeys();
      expect(listed.map(({ name, waits, requests }) => [name, waits, requests])).toEqual([['pairs/a', 0, ['one', 'pairs/a again']]]);
      expect(listed[0]?.activatesAt?.getTime()).toBeLessThan(waiting?.activatesAt?.getTime() ?? 0);
    });

    it('dates an added key no earlier than `notBefore`', async () => {
      const notBefore = new Date('2099-03-04T05:06:07.890Z');
      await keys.addServiceKey('pairs/a', new Uint8Array(40).fill(1), { notBefore, wait: 600_000 });
      const [stored] = await keys.serviceKeys();
      expect(stored?.createdAt).toEqual(notBefore);
      expect(stored?.activatesAt?.getTime()).toBeLessThan(notBefore.getTime());
    });

    it('does not affect other people’s keys or service keys', async () => {
      const [service, personal] = [await keys.serviceKey('anna'), await keys.personalKey('bert')];
      await keys.destroyPersonalKey('anna');
      expect(hex(await keys.serviceKey('anna'))).toBe(hex(service));
      expect(hex(await keys.personalKey('bert'))).toBe(hex(personal));
    });
  });
};
