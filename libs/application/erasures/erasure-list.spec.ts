import { describe, expect, it } from '@jest/globals';
import { applyErasures, listErasures } from './erasure-list.js';

/** Creates a vault in memory with keys of these people. Vaults with the same service key belong to copies of the same store. */
const vaultOf = (people: readonly string[], serviceKey = 7) => {
  const names = new Map(people.map((name) => [name, false]));
  return {
    names,
    serviceKey: async () => new Uint8Array(32).fill(serviceKey),
    personalKey: async () => new Uint8Array(32),
    destroyPersonalKey: async (name: string) => void names.set(name, true),
    async *personalKeys() {
      for (const [name, isDestroyed] of [...names].toSorted()) yield { name, isDestroyed };
    },
  };
};

/** Proves contract 38.2 and contract 38.3. */
describe('a list of erasures', () => {
  it('does not contain the names of erased persons', async () => {
    const store = vaultOf(['user:ann', 'user:bob']);
    await store.destroyPersonalKey('user:ann');
    const list = await listErasures(store);
    expect([list.erased.length, JSON.stringify(list).includes('ann')]).toEqual([1, false]);
  });

  it('destroys the listed keys of an older copy, and no others', async () => {
    const [store, copy] = [vaultOf(['user:ann', 'user:bob']), vaultOf(['user:ann', 'user:bob'])];
    await store.destroyPersonalKey('user:ann');
    const list = await listErasures(store);
    expect(await applyErasures(copy, list)).toEqual(['user:ann']);
    expect([...copy.names]).toEqual([
      ['user:ann', true],
      ['user:bob', false],
    ]);
    expect(await applyErasures(copy, list)).toEqual(['user:ann']);
  });

  it('still lists an erased person after the restore of a copy that never had this person', async () => {
    const store = vaultOf(['user:ann']);
    await store.destroyPersonalKey('user:ann');
    const list = await listErasures(store);
    const older = vaultOf([]);
    await applyErasures(older, list);
    expect(await listErasures(older)).toEqual(list);
    const later = vaultOf(['user:ann']);
    expect(await applyErasures(later, await listErasures(older))).toEqual(['user:ann']);
  });

  it('of another store is rejected, and changes nothing', async () => {
    const [store, other] = [vaultOf(['user:ann']), vaultOf(['user:ann'], 8)];
    await store.destroyPersonalKey('user:ann');
    await expect(applyErasures(other, await listErasures(store))).rejects.toThrow('another store');
    expect([...other.names]).toEqual([['user:ann', false]]);
  });
});
