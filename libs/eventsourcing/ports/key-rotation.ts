import type { KeyVault, ServiceKey, ServiceKeyList } from './key-vault.port.js';

/**
 * Returns the keys of one kind, newest first. `keys` are all keys of the service. The name of the oldest key is its kind. The
 * name of a later key is its kind, a slash, and a number or the id of the rotation that created the key.
 */
export const keysOfKind = (keys: readonly ServiceKey[], kind: string): readonly ServiceKey[] => {
  // The key with the name of the kind is the oldest, even if `createdAt` contradicts this after a clock was corrected.
  const age = ({ name, createdAt }: ServiceKey): number => (name === kind ? -Infinity : (createdAt?.getTime() ?? 0));
  return keys
    .filter(({ name }) => name === kind || name.startsWith(`${kind}/`))
    .sort((one, other) => age(other) - age(one) || (one.name < other.name ? 1 : -1));
};

/**
 * Creates a key, which becomes the newest of its kind, and returns its name. A repeated call with the same id creates no key and
 * returns `replayed` as true.
 */
export const rotateKey = async (
  vault: KeyVault & Pick<ServiceKeyList, 'serviceKeys'>,
  kind: string,
  id: string,
  now: Date,
): Promise<{ readonly name: string; readonly replayed: boolean }> => {
  const name = `${kind}/${id}`;
  const existing = keysOfKind(await vault.serviceKeys(), kind);
  const replayed = existing.some((key) => key.name === name);
  // The clocks of processes differ. So the time of the new key is at least 1 ms after that of the newest existing key.
  const newest = Math.max(0, ...existing.map(({ createdAt }) => createdAt?.getTime() ?? 0));
  if (!replayed) await vault.serviceKey(name, new Date(Math.max(now.getTime(), newest + 1)));
  return { name, replayed };
};
