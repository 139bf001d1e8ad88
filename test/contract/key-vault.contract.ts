import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { KeyLookup, KeyVault } from '../../libs/eventsourcing/ports/key-vault.port.js';

/** A vault, and a function that closes it. */
export type KeyVaultUnderTest = { readonly keys: KeyVault & KeyLookup; readonly close: () => Promise<void> };

const hex = (key: Uint8Array | null): string => Buffer.from(key ?? []).toString('hex');

/** The contract of KeyVault. It proves contract 23.7: a destroyed key cannot be used again. */
export const keyVaultContract = (name: string, make: () => Promise<KeyVaultUnderTest>): void => {
  describe(`${name} as a key vault`, () => {
    let keys: KeyVault & KeyLookup;
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

    it('does not affect other people’s keys or service keys', async () => {
      const [service, personal] = [await keys.serviceKey('anna'), await keys.personalKey('bert')];
      await keys.destroyPersonalKey('anna');
      expect(hex(await keys.serviceKey('anna'))).toBe(hex(service));
      expect(hex(await keys.personalKey('bert'))).toBe(hex(personal));
    });
  });
};
