import type { Collection, Documents } from '../../eventsourcing/ports/documents.port.js';

/** The hashes of passwords, by account. They are no read model: the log does not contain them. */
const CREDENTIALS: Collection = { name: 'credentials', version: 1, fields: { stored: 'text' }, indexes: [['stored']], cells: [] };

type StoredCredential = { readonly passwordHash: string };

const PAGE = 500;

/** Creates the collection if it does not exist. Every process that signs in or copies accounts calls this. */
export const prepareCredentials = (documents: Documents): Promise<void> => documents.prepare(CREDENTIALS);

/** Stores the hashes of passwords, outside the log (contract 30.3). */
export class Credentials {
  constructor(private readonly documents: Documents) {}

  /** Returns the hash of an account's password, or null. */
  async passwordHash(userId: string): Promise<string | null> {
    const document = await this.documents.get(CREDENTIALS, userId);
    return document && (JSON.parse(document.json) as StoredCredential).passwordHash;
  }

  /**
   * Stores the hash of a new account, unless the account has one: a concurrent request with the same
   * Idempotency-Key may have stored it. The hash is durable when the call resolves.
   */
  async addPasswordHash(userId: string, passwordHash: string): Promise<void> {
    await this.documents.apply([{ ...putOf(userId, passwordHash), expected: 'none' }]);
  }

  /** Replaces the hash. It is durable when the call resolves. */
  async replacePasswordHash(userId: string, passwordHash: string): Promise<void> {
    await this.documents.apply([putOf(userId, passwordHash)]);
  }

  /** Removes the hash. Repeating it does nothing. */
  async removePasswordHash(userId: string): Promise<void> {
    await this.documents.apply([{ kind: 'delete', collection: CREDENTIALS, key: userId }]);
  }
}

const putOf = (userId: string, passwordHash: string) => {
  const json = JSON.stringify({ passwordHash } satisfies StoredCredential);
  return { kind: 'put', collection: CREDENTIALS, document: { key: userId, json, fields: { stored: userId }, revision: 0 } } as const;
};

/** Copies all hashes to another store. It is safe to repeat. */
export const copyCredentials = async (from: Documents, to: Documents): Promise<void> => {
  await prepareCredentials(to);
  for (let offset = 0; ; offset += PAGE) {
    const page = await from.find(CREDENTIALS, { where: {}, sort: ['stored'], limit: PAGE, offset });
    await to.apply(page.map((document) => ({ kind: 'put', collection: CREDENTIALS, document })));
    if (page.length < PAGE) return;
  }
};
