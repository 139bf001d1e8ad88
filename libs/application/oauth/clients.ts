import { createHash } from 'node:crypto';
import { SHARED_POOL } from '../../eventsourcing/message.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import { StateStore } from '../state/state-store.js';
import { CLIENTS, FORMER_PROGRAMS } from './collections.js';
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
  /** Whether the client is a program, which gets tokens for itself and signs nobody in. */
  readonly program: boolean;
  /** The scopes that the tokens of a program may have. Empty for other clients. */
  readonly scopes: readonly string[];
};

/** The subject of the tokens of a program, and the actor of what it does. Nobody else has such a subject (contract 32.9). */
export const programSubject = (clientId: string): string => `${PROGRAM}${clientId}`;

const PROGRAM = 'client:';

/** A registered client of the authorization server. */
export type OAuthClient = ClientTerms & {
  readonly id: string;
  /** The tenant whose accounts sign in with the client, or SHARED_POOL. */
  readonly tenant: string;
  readonly createdAt: string;
};

/** A secret that was replaced. It is valid until `validUntil`, in ISO 8601. */
export type FormerSecret = { readonly digest: string; readonly validUntil: string };

/** The changeable terms of a client. An absent term stays as it is. */
export type ClientChanges = Partial<Pick<ClientTerms, 'redirectUris' | 'postLogoutRedirectUris' | 'scopes'>>;

/** A client as it is stored. A fast digest of the secret is enough, because nobody can guess its 256 pseudorandom bits. */
export type StoredClient = {
  readonly client: OAuthClient;
  readonly secretDigest?: string;
  /** The secret before the last rotation, until it expires. */
  readonly formerSecret?: FormerSecret;
  /** The ids of the last rotations of the secret, oldest first. The number of a rotation is that of its secret. */
  readonly rotations?: readonly { readonly id: string; readonly number: number }[];
  /** The digest of the request that registered the client. Absent if that request had no Idempotency-Key. */
  readonly bodyDigest?: string;
};

/** Returns a client as the API shows it. A client of the shared pool has no `tenantId`. */
export const clientView = ({ id, tenant, ...client }: OAuthClient): object => ({
  id,
  ...(tenant !== SHARED_POOL && { tenantId: tenant }),
  ...client,
});

/** Returns the digest of a client's secret, as it is stored. */
export const digestSecret = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** Returns whether a secret has this digest. The time of the comparison does not depend on the secret. */
const matchesSecret = (digest: string, secret: string): boolean => isEqualInConstantTime(digest, digestSecret(secret));

/** Returns whether a secret is the current one of a client, or the former one before its end. */
export const isSecretValid = (
  { secretDigest, formerSecret }: Pick<StoredClient, 'secretDigest' | 'formerSecret'>,
  secret: string,
  now: Date,
): boolean => {
  const isCurrent = secretDigest !== undefined && matchesSecret(secretDigest, secret);
  const isFormer = formerSecret !== undefined && matchesSecret(formerSecret.digest, secret);
  return isCurrent || (isFormer && now.toISOString() < formerSecret.validUntil);
};

/** The members of a client that earlier versions did not store. */
type NewerTerms = Pick<OAuthClient, 'implicit' | 'postLogoutRedirectUris' | 'program' | 'scopes'>;

/** A stored client. An earlier version of the service may have stored it. */
type StoredClientOfAnyVersion = Omit<StoredClient, 'client'> & {
  readonly client: Omit<OAuthClient, keyof NewerTerms> & Partial<NewerTerms>;
};

/** The number of clients that one read returns, when all are read. */
const PAGE = 500;

/** Stores the registered clients. The log contains no events of them. */
export class OAuthClients {
  private readonly store: StateStore<StoredClientOfAnyVersion>;
  private readonly formerPrograms: StateStore<Pick<OAuthClient, 'name'>>;

  constructor(documents: Documents) {
    this.store = new StateStore(documents, CLIENTS);
    this.formerPrograms = new StateStore(documents, FORMER_PROGRAMS);
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

  /** Stores what `change` makes of a client, and returns it. Returns null if there is no client or `change` returns null. */
  async change(id: string, change: (stored: StoredClient) => StoredClient | null): Promise<StoredClient | null> {
    let changed: StoredClient | null = null;
    const outcome = await this.store.change(id, (stored) => {
      changed = stored && change(upgraded(stored.value));
      return stored && changed ? { value: changed, fields: stored.fields } : null;
    });
    if (outcome === 'contended') throw new Error('could not change a client: gave up after repeated conflicts');
    return changed;
  }

  /** Removes a client. From then on, nobody can use its codes and refresh tokens. The name of a program stays. */
  async remove(id: string): Promise<void> {
    const client = (await this.get(id))?.client;
    if (client?.program) {
      const { name, createdAt } = client;
      await this.formerPrograms.put({ key: id, value: { name }, fields: { createdAt } }, 'none');
    }
    await this.store.delete(id);
  }

  /**
   * Returns a function that returns the name of the program with a subject, also of a removed one, or null for other subjects. It reads
   * each name once.
   */
  programNames(): (subject: string) => Promise<string | null> {
    const names = new Map<string, Promise<string | null>>();
    return async (subject) => {
      if (!subject.startsWith(PROGRAM)) return null;
      const name = names.get(subject) ?? this.programName(subject.slice(PROGRAM.length));
      names.set(subject, name);
      return name;
    };
  }

  private async programName(id: string): Promise<string | null> {
    const program = (await this.get(id))?.client ?? (await this.formerPrograms.get(id))?.value;
    return program?.name ?? null;
  }
}

const upgraded = (stored: StoredClientOfAnyVersion): StoredClient => ({
  ...stored,
  client: {
    ...stored.client,
    implicit: stored.client.implicit ?? false,
    postLogoutRedirectUris: stored.client.postLogoutRedirectUris ?? [],
    program: stored.client.program ?? false,
    scopes: stored.client.scopes ?? [],
  },
});
