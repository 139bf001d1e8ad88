import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { openSealed } from '../../runtime/codec/sealing.js';

/**
 * Decrypts the JSON of an account or of its profile. Returns null if the person's key was destroyed. An erasure may destroy
 * the key after the account was read and before this call (contract 30.6).
 */
export const openAccount = async (keys: KeyVault, json: string): Promise<string | null> => {
  const opened = await openSealed(keys, json);
  const { username } = JSON.parse(opened) as { readonly username: string | null };
  return username === null ? null : opened;
};
