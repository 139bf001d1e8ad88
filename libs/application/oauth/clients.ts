import { createHash } from 'node:crypto';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import { StateStore } from '../state/state-store.js';
import { CLIENTS } from './collections.js';
import { isEqualInConstantTime } from './constant-time.js';

/** How a client may obtain tokens. */
export type ClientTerms = {
  readonly name: string;
  /** The redirect URI of a sign-in must be one of these texts. Only the port of a loopback address may differ. */
  readonly redirectUris: readonly string[];
  /** The URI to which a browser returns after a sign-out must be one of these texts. */
  readonly postLogoutRedirectUris: readonly string[];
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

/** The members of a client that earlier versions did not store. */
type NewerTerms = Pick<OAuthClient, 'implicit' | 'postLogoutRedirectUris'>;

/** A stored client. An earlier version of the service may have stored it. */
type StoredClientOfAnyVersion = Omit<StoredClient, 'client'> & {
  readonly client: Omit<OAuthClient, keyof NewerTerms> & Partial<NewerTerms>;
};

/** The number of clients that one read returns, when all are read. */
const PAGE = 500;

/** Stores the registered clients. The log contains no events of them. */
export class OAuthClients {
  private readonly store: StateStore<StoredClientOfAnyVersion>;

  constructor(documents: Documents) {
    this.store = new StateStore(documents, CLIENTS);
  }

  /** Registers a client. Returns false if a client with this id exists. */
  async add(stored: StoredClient): Promise<boolean> {
    const { id, tenant, createdAt } = stored.client;
    return this.store.put({ key: id, value: stored, fields: { tenant, createdAt } }, 'none');
  }

  /** Returns a client, or null. */
  async get(id: string): Promise<StoredClient | null> {
    const stored = await this.store.get(id);
    return stored && upgraded(stored.value);
  }

  /** Returns a page of a tenant's clients, newest first, and the total number of its clients. */
  async list(tenant: string, page: number, limit: number): Promise<{ readonly clients: readonly OAuthClient[]; readonly total: number }> {
    const found = await this.store.find({ tenant }, { sort: ['-createdAt'], limit, offset: (page - 1) * limit });
    return { clients: found.map(({ value }) => upgraded(value).client), total: await this.store.count({ tenant }) };
  }

  /** Returns the redirect URIs of all clients of all tenants. */
  async redirectUris(): Promise<readonly string[]> {
    const uris: string[] = [];
    for (let offset = 0; ; offset += PAGE) {
      const page = await this.store.find({}, { sort: ['createdAt'], limit: PAGE, offset });
      uris.push(...page.flatMap(({ value }) => value.client.redirectUris));
      if (page.length < PAGE) return uris;
    }
  }

  /** Removes a client. From then on, nobody can use its codes and refresh tokens. */
  async remove(id: string): Promise<void> {
    await this.store.delete(id);
  }
}

const upgraded = (stored: StoredClientOfAnyVersion): StoredClient => ({
  ...stored,
  client: {
    ...stored.client,
    implicit: stored.client.implicit ?? false,
    postLogoutRedirectUris: stored.client.postLogoutRedirectUris ?? [],
  },
});
