import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { decrypt, encrypt } from '../../runtime/codec/cipher.js';

/** The name of the key that encrypts cursors. */
const KEY = 'audit-cursor';

/**
 * Returns the cursor of a position in the log. The cursor is encrypted, because a position shows how much other tenants
 * write (contract 6.2). It can be used only in the same tenant.
 */
export const writeCursor = async (keys: KeyVault, tenant: string, position: number): Promise<string> => {
  const text = String(position);
  return encrypt(await keys.serviceKey(KEY), text, { owner: tenant, nonce: `${tenant} ${text}` });
};

/** Returns the position of a cursor. Null if it is not a cursor of this tenant. */
export const readCursor = async (keys: KeyVault, tenant: string, cursor: string): Promise<number | null> => {
  const key = await keys.serviceKey(KEY);
  try {
    return Number(decrypt(key, cursor, tenant));
  } catch {
    return null;
  }
};
