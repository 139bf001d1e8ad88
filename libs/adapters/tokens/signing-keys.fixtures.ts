import type { KeyVault, ServiceKey, ServiceKeyList } from '../../eventsourcing/ports/key-vault.port.js';

/** A vault in memory, with functions for tests. */
export type MemoryVault = KeyVault &
  ServiceKeyList & {
    /** The number of times that the list of keys was read. */
    reads(): number;
    /** Delays the next read of the list until the returned function is called. It returns the keys from before the delay. */
    delayNextRead(): () => void;
    /** Makes the next read of the list fail. */
    failNextRead(error: Error): void;
  };

/** Creates a vault in memory. `seed` is its first signing key. Every byte of a later key is the number of that key. */
export const memoryVault = (seed?: Uint8Array): MemoryVault => {
  const keys = new Map<string, ServiceKey>();
  if (seed) keys.set('token-signing', { name: 'token-signing', key: seed, createdAt: null });
  let reads = 0;
  let delay = Promise.resolve();
  return {
    async serviceKey(name, createdAt = new Date(0)) {
      const { key } = keys.get(name) ?? { key: new Uint8Array(32).fill(keys.size + 1) };
      if (!keys.has(name)) keys.set(name, { name, key, createdAt });
      return key;
    },
    async serviceKeys() {
      reads++;
      const found = [...keys.values()];
      const waited = delay;
      delay = Promise.resolve();
      await waited;
      return found;
    },
    removeServiceKey: async (name) => void keys.delete(name),
    personalKey: () => Promise.reject(new Error('not needed')),
    destroyPersonalKey: () => Promise.reject(new Error('not needed')),
    reads: () => reads,
    delayNextRead() {
      let end = (): void => undefined;
      delay = new Promise((resolve) => (end = resolve));
      return () => end();
    },
    failNextRead: (error) => void (delay = Promise.reject(error)),
  };
};
