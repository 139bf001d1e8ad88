import type { Collection, Documents } from '../../eventsourcing/ports/documents.port.js';
import { StateStore } from '../state/state-store.js';

/** The hashes of passwords. `stored` is the account's id. */
export const CREDENTIALS: Collection = { name: 'credentials', version: 1, fields: { stored: 'text' }, indexes: [['stored']], cells: [] };

type StoredCredential = { readonly passwordHash: string };

/**
 * Stores the hashes of passwords, outside the log (contract 30.3). An account may have several hashes for a short time. An
 * event of the account names the id of the valid hash, so one append replaces the password.
 */
export class Credentials {
  private readonly store: StateStore<StoredCredential>;

  constructor(documents: Documents) {
    this.store = new StateStore(documents, CREDENTIALS);
  }

  /** Returns a hash, or null if it does not exist. `credentialId` is null for an account of schema version 1 (user.events.ts). */
  async passwordHash(userId: string, credentialId: string | null): Promise<string | null> {
    return (await this.store.get(keyOf(userId, credentialId)))?.value.passwordHash ?? null;
  }

  /** Stores the hash of a new password under a new id. The hash is durable when the call resolves. A repeated call replaces it. */
  async storePasswordHash(userId: string, credentialId: string, passwordHash: string): Promise<void> {
    const entry = entryOf(userId, credentialId, passwordHash);
    while (!(await this.store.put(entry, 'none'))) await this.store.delete(entry.key);
  }

  /** Replaces a hash by another one of the same password. Changes nothing if the hash was removed, for example by an erasure. */
  async replacePasswordHash(userId: string, credentialId: string | null, passwordHash: string): Promise<void> {
    const entry = entryOf(userId, credentialId, passwordHash);
    const stored = await this.store.get(entry.key);
    if (stored) await this.store.put(entry, stored.version);
  }

  /** Removes one hash. A repeated call does nothing. */
  async removePasswordHash(userId: string, credentialId: string | null): Promise<void> {
    await this.store.delete(keyOf(userId, credentialId));
  }

  /** Removes all hashes of an account. A repeated call does nothing. */
  async removePasswordHashes(userId: string): Promise<void> {
    await this.store.deleteWhere({ stored: userId });
  }
}

const keyOf = (userId: string, credentialId: string | null): string => (credentialId === null ? userId : `${userId}.${credentialId}`);

const entryOf = (userId: string, credentialId: string | null, passwordHash: string) => ({
  key: keyOf(userId, credentialId),
  value: { passwordHash },
  fields: { stored: userId },
});
