import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { KeyLookup, KeyVault } from '../../libs/eventsourcing/ports/key-vault.port.js';

/** A vault, and how to be rid of it. */
export type KeyVaultUnderTest = { readonly keys: KeyVault & KeyLookup; readonly close: () => Promise<void> };

const hex = (key: Uint8Array | null): string => Buffer.from(key ?? []).toString('hex');

/** What every KeyVault promises. */
export const keyVaultContract = (name: string, make: () => Promise<KeyVaultUnderTest>): void => {
  describe(`${name} as a key vault`, () => {
    let keys: KeyVault & KeyLookup;
    let close: () => Promise<void>;
    beforeEach(async () => void ({ keys, close } = await make()));
    afterEach(() => close());

    it('makes a key of 32 bytes at the first asking, and gives the same ever after', async () => {
      const [service, personal] = [await keys.serviceKey('signing'), await keys.personalKey('anna')];
      expect([service.length, personal?.length]).toEqual([32, 32]);
      expect(hex(await keys.serviceKey('signing'))).toBe(hex(service));
      expect(hex(await keys.personalKey('anna'))).toBe(hex(personal));
    });

    it('gives every name and every person a key of their own', async () => {
      const made = [await keys.serviceKey('a'), await keys.serviceKey('b'), await keys.personalKey('a'), await keys.personalKey('b')];
      expect(new Set(made.map(hex)).size).toBe(4);
    });

    it('makes one key however many ask for it at once', async () => {
      const asked = await Promise.all(
        Array.from({ length: 50 }, (_, index) => (index % 2 ? keys.personalKey('anna') : keys.serviceKey('signing'))),
      );
      expect(new Set(asked.map(hex)).size).toBe(2);
    });

    it('destroys a person’s key for good', async () => {
      await keys.personalKey('anna');
      await keys.destroyPersonalKey('anna');
      expect(await keys.personalKey('anna')).toBeNull();
      await keys.destroyPersonalKey('anna');
      expect(await keys.personalKey('anna')).toBeNull();
    });

    it('never makes a key for someone whose key was destroyed before there was one', async () => {
      await keys.destroyPersonalKey('anna');
      expect(await keys.personalKey('anna')).toBeNull();
    });

    it('destroys a key that is being made', async () => {
      const asked = keys.personalKey('anna');
      await keys.destroyPersonalKey('anna');
      await asked;
      expect(await keys.personalKey('anna')).toBeNull();
    });

    it('shows which keys there are without making any', async () => {
      expect([await keys.existing('personal', 'anna'), await keys.existing('service', 'anna')]).toEqual([undefined, undefined]);
      const made = await keys.personalKey('anna');
      expect(hex((await keys.existing('personal', 'anna')) ?? null)).toBe(hex(made));
      expect(await keys.existing('service', 'anna')).toBeUndefined();
      await keys.destroyPersonalKey('anna');
      expect(await keys.existing('personal', 'anna')).toBeNull();
    });

    it('leaves other people’s keys and the service’s own alone', async () => {
      const [service, personal] = [await keys.serviceKey('anna'), await keys.personalKey('bert')];
      await keys.destroyPersonalKey('anna');
      expect(hex(await keys.serviceKey('anna'))).toBe(hex(service));
      expect(hex(await keys.personalKey('bert'))).toBe(hex(personal));
    });
  });
};
