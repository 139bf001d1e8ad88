import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { openDocument } from '../../runtime/codec/sealing.js';

/**
 * Decrypts the JSON of an account or of its profile. Returns null if the person's key was destroyed. An erasure may destroy the key
 * after the account was read, and also while its values are decrypted: then some are still readable and others are not
 * (contract 30.6).
 */
export const openAccount = async (keys: KeyVault, json: string): Promise<string | null> => {
  const opened = await openDocument(keys, json);
  return opened.isErased ? null : opened.json;
};
