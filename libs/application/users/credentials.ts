import type { Collection, Documents } from '../../eventsourcing/ports/documents.port.js';

/** The hashes of passwords. `stored` is the account's id. This is no read model: the log does not contain the hashes. */
export const CREDENTIALS: Collection = { name: 'credentials', version: 1, fields: { stored: 'text' }, indexes: [['stored']], cells: [] };

type StoredCredential = { readonly passwordHash: string };

/** The maximum number of hashes of one account: the hash of its password, and those of interrupted changes. */
const MOST_HASHES = 1_000;

/**
 * Stores the hashes of passwords, outside the log (contract 30.3). An account may have several hashes for a short time. An
 * event of the account names the id of the valid hash, so one append replaces the password.
 */
export class Credentials {
  constructor(private readonly documents: Documents) {}

  /** Returns a hash, or null if it does not exist. `credentialId` is null for an account of schema version 1 (user.events.ts). */
  async passwordHash(userId: string, credentialId: string | null): Promise<string | null> {
    const document = await this.documents.get(CREDENTIALS, keyOf(userId, credentialId));
    return document && (JSON.parse(document.json) as StoredCredential).passwordHash;
  }

  /** Stores the hash of a new password under a new id. The hash is durable when the call resolves. */
  async storePasswordHash(userId: string, credentialId: string, passwordHash: string): Promise<void> {
    await this.documents.apply([putOf(userId, credentialId, passwordHash)]);
  }

  /** Replaces a hash by another one of the same password. Changes nothing if the hash was removed, for example by an erasure. */
  async replacePasswordHash(userId: string, credentialId: string | null, passwordHash: string): Promise<void> {
    await this.documents.apply([{ ...putOf(userId, credentialId, passwordHash), expected: REVISION }]);
  }

  /** Removes one hash. A repeated call does nothing. */
  async removePasswordHash(userId: string, credentialId: string | null): Promise<void> {
    await this.documents.apply([{ kind: 'delete', collection: CREDENTIALS, key: keyOf(userId, credentialId) }]);
  }

  /** Removes all hashes of an account. A repeated call does nothing. */
  async removePasswordHashes(userId: string): Promise<void> {
    const found = await this.documents.find(CREDENTIALS, { where: { stored: userId }, sort: ['stored'], limit: MOST_HASHES, offset: 0 });
    if (found.length > 0) await this.documents.apply(found.map(({ key }) => ({ kind: 'delete', collection: CREDENTIALS, key })));
  }
}

/** The revision of every stored hash, because hashes have no events. */
const REVISION = 0;

const keyOf = (userId: string, credentialId: string | null): string => (credentialId === null ? userId : `${userId}.${credentialId}`);

const putOf = (userId: string, credentialId: string | null, passwordHash: string) => {
  const json = JSON.stringify({ passwordHash } satisfies StoredCredential);
  const document = { key: keyOf(userId, credentialId), json, fields: { stored: userId }, revision: REVISION };
  return { kind: 'put', collection: CREDENTIALS, document } as const;
};
