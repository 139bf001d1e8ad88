import Provider, { errors, type Adapter, type AdapterPayload } from 'oidc-provider';
import type { Artifact, Artifacts } from '../../../../libs/application/oauth/artifacts.js';
import type { Grants } from '../grants.js';
import type { OAuthClients, StoredClient } from '../../../../libs/application/oauth/clients.js';
import { FORM_POST } from './form-post.js';

/** The stored data of the authorization server. */
export type OAuthStorage = { readonly artifacts: Artifacts; readonly clients: OAuthClients; readonly grants: Grants };

/**
 * Implements the methods with which oidc-provider would change clients, or find a client other than by its id. Does nothing,
 * because only operators register clients (contract 32.4).
 */
const notStored = async (): Promise<undefined> => undefined;

/** Returns a function that returns the storage for one kind of entry, in the form that oidc-provider expects. */
export const storageAdapter =
  (storage: OAuthStorage) =>
  (kind: string): Adapter =>
    kind === 'Client' ? clientAdapter(storage.clients) : artifactAdapter(storage, kind);

/** The member of a client's metadata that has the registered scopes of a program. */
export const PROGRAM_SCOPES = 'programScopes';

/** The member of a client's metadata that has its former secret. */
export const FORMER_SECRET = 'formerSecret';

/** The kind of the entries of refresh tokens. */
const REFRESH_TOKEN = 'RefreshToken';

const clientAdapter = (clients: OAuthClients): Adapter => ({
  async find(id) {
    const stored = await clients.get(id);
    return stored ? metadataOf(stored) : undefined;
  },
  upsert: notStored,
  findByUserCode: notStored,
  findByUid: notStored,
  consume: notStored,
  destroy: notStored,
  revokeByGrantId: notStored,
});

/**
 * Returns the metadata of a client (RFC 7591, 2). A client is `web` if all its redirect URIs are https, and otherwise
 * `native`. Only a native client may use any port of a loopback address (RFC 8252, 7.3). `client_secret` is the digest of
 * the secret.
 */
const metadataOf = ({ client, secretDigest, formerSecret }: StoredClient): AdapterPayload => {
  const { id, name, device, implicit, program, scopes, tenant } = client;
  // Earlier versions registered URIs that the provider cannot parse. It would reject the client with all its URIs.
  const redirectUris = client.redirectUris.filter((uri) => URL.canParse(uri));
  const isWeb = redirectUris.length > 0 && redirectUris.every((uri) => uri.startsWith('https:'));
  return {
    client_id: id,
    client_name: name,
    redirect_uris: [...redirectUris],
    application_type: isWeb ? 'web' : 'native',
    grant_types: [
      ...(redirectUris.length > 0 ? ['authorization_code'] : []),
      ...(device ? ['urn:ietf:params:oauth:grant-type:device_code'] : []),
      ...(program ? ['client_credentials'] : ['refresh_token']),
    ],
    response_types: redirectUris.length > 0 ? ['code'] : [],
    response_modes: ['query', FORM_POST],
    token_endpoint_auth_method: secretDigest === undefined ? 'none' : 'client_secret_basic',
    ...(secretDigest !== undefined && { client_secret: secretDigest }),
    tenant,
    implicit,
    [PROGRAM_SCOPES]: scopes,
    ...(formerSecret && { [FORMER_SECRET]: formerSecret }),
  };
};

/** Returns the storage of one kind of entry other than clients. `name` is the secret that identifies an entry, such as a code. */
const artifactAdapter = ({ artifacts, grants }: OAuthStorage, kind: string): Adapter => ({
  async upsert(name, payload) {
    const lookup = payload.userCode ?? payload.uid;
    const parent = kind === REFRESH_TOKEN ? Provider.ctx?.oidc.entities.RotatedRefreshToken?.jti : undefined;
    const more = { ...(lookup !== undefined && { lookup }), ...(parent !== undefined && { parent }) };
    await artifacts.put(kind, name, payload, { expiresAt: payload.exp ?? 0, ...more });
  },
  async find(name) {
    if (kind === 'Grant' && !(await grants.session(name))) return undefined;
    const payload = toPayload(await artifacts.find(kind, name));
    // A refresh token may be used again. `consume` decides, so oidc-provider must not reject it before.
    return payload && kind === REFRESH_TOKEN && Provider.ctx?.oidc.route === 'token' ? { ...payload, consumed: undefined } : payload;
  },
  findByUserCode: async (userCode) => toPayload(await artifacts.findByLookup(kind, userCode)),
  findByUid: async (uid) => toPayload(await artifacts.findByLookup(kind, uid)),
  /**
   * Marks a code or token as used. Two processes may receive the same code at the same time. The process that comes second
   * ends the grant, because one of the two senders may be a thief (RFC 9700, 2.1.1 and 4.14.2). A refresh token may be used again
   * for a short time.
   */
  async consume(name) {
    if (await (kind === REFRESH_TOKEN ? artifacts.useRefreshToken(kind, name) : artifacts.consume(kind, name))) return;
    const grantId = (await artifacts.find(kind, name))?.grantId;
    if (grantId !== undefined) await grants.end(grantId);
    throw new errors.InvalidGrant('the code or token was used already');
  },
  destroy: (name) => artifacts.remove(kind, name),
  /** oidc-provider calls this once for each kind of token. The call for access tokens ends the grant. Other calls do nothing. */
  async revokeByGrantId(grantId) {
    if (kind === 'AccessToken') await grants.end(grantId);
  },
});

/**
 * Returns the payload of an entry. Its `sid`, which becomes that of ID tokens, is the id of the grant and of its session, as in
 * access tokens (contract 32.2). The `sid` that oidc-provider makes belongs to a browser session, which the service does not keep.
 */
const toPayload = (artifact: Artifact | null): AdapterPayload | undefined =>
  artifact ? { ...artifact, ...(artifact.grantId !== undefined && { sid: artifact.grantId }) } : undefined;
