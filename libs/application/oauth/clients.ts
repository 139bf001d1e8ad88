import { createHash } from 'node:crypto';
import type { Documents, StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import { CLIENTS } from './collections.js';
import { isEqualInConstantTime } from './constant-time.js';

/** How a client may obtain tokens. */
export type ClientTerms = {
  readonly name: string;
  /** The redirect URI of a sign-in must be one of these texts. Only the port of a loopback address may differ. */
  readonly redirectUris: readonly string[];
  /** Whether the client may use device codes. */
  readonly device: boolean;
  /** Whether the client has a secret. */
  readonly confidential: boolean;
  /** Whether the client may use the classic implicit flow, if the service permits that flow. */
  readonly implicit: boolean;
};

/** A registered client of the authorization server. */
export type OAuthClient = ClientTerms & {
  readonly id: string;
  /** The tenant whose accounts sign in with the client, or SHARED_POOL. */
  readonly tenant: string;
  readonly createdAt: string;
};

/** A client as it is stored. A fast digest of the secret is enough, because nobody can guess its 256 pseudorandom bits. */
export type StoredClient = {
  readonly client: OAuthClient;
  readonly secretDigest?: string;
  /** The digest of the request that registered the client. Absent if that request had no Idempotency-Key. */
  readonly bodyDigest?: string;
};

/** Returns the digest of a client's secret, as it is stored. */
export const digestSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** Returns whether a secret has this digest. The time of the comparison does not depend on the secret. */
export const matchesSecret = (digest: string, secret: string): boolean => isEqualInConstantTime(digest, digestSecret(secret));

/** Stores the registered clients as documents. The log contains no events of them. */
export class OAuthClients {
  constructor(private readonly documents: Documents) {}

  /** Registers a client. Returns false if a client with this id exists. */
  async add(stored: StoredClient): Promise<boolean> {
    const { id, tenant, createdAt } = stored.client;
    const document = { key: id, json: JSON.stringify(stored), fields: { tenant, createdAt }, revision: 0 };
    return this.documents.apply([{ kind: 'put', collection: CLIENTS, document, expected: 'none' }]);
  }

  /** Returns a client, or null. */
  async get(id: string): Promise<StoredClient | null> {
    const document = await this.documents.get(CLIENTS, id);
    return document && storedClient(document);
  }

  /** Returns a page of a tenant's clients, newest first, and the total number of its clients. */
  async list(tenant: string, page: number, limit: number): Promise<{ readonly clients: readonly OAuthClient[]; readonly total: number }> {
    const find = { where: { tenant }, sort: ['-createdAt'], limit, offset: (page - 1) * limit };
    const found = await this.documents.find(CLIENTS, find);
    return { clients: found.map((document) => storedClient(document).client), total: await this.documents.count(CLIENTS, { tenant }) };
  }

  /** Removes a client. From then on, nobody can use its codes and refresh tokens. */
  async remove(id: string): Promise<void> {
    await this.documents.apply([{ kind: 'delete', collection: CLIENTS, key: id }]);
  }
}

/** A stored client. An early version of the service may have stored it, without `implicit`. */
type StoredClientOfAnyVersion = Omit<StoredClient, 'client'> & {
  readonly client: Omit<OAuthClient, 'implicit'> & { readonly implicit?: boolean };
};

const storedClient = ({ json }: StoredDocument): StoredClient => {
  const stored = JSON.parse(json) as StoredClientOfAnyVersion;
  return { ...stored, client: { ...stored.client, implicit: stored.client.implicit ?? false } };
};
