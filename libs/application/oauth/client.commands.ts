import { rejected, type Rejection } from '../../eventsourcing/decider.js';
import { commandContext, type RequestContext, type ResultOf, RequestCommand } from '../request.js';
import { endClientSessions } from '../sessions/end-tokens.js';
import { clientView, digestSecret, OAuthClients, type ClientChanges, type ClientTerms, type OAuthClient } from './clients.js';
import { secretsOf } from './client-secrets.js';
import type { Ports } from '../command-ports.js';

/** A registered client. `json` contains the client's secret, if the client has one. */
export type RegisteredClient = { readonly id: string; readonly json: string; readonly replayed: boolean };

/** Registers a client in the tenant of the request. */
export class AddClient extends RequestCommand<'AddClient', RegisteredClient | Rejection<'idempotency_key_reused'>> {
  constructor(
    readonly terms: ClientTerms,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** The secret is derived from the client's id with a service key, so that a replayed response contains the same secret. */
export const addClient = async (
  ports: Ports<'documents' | 'identities' | 'keys' | 'clock'>,
  { terms, request }: AddClient,
): Promise<ResultOf<AddClient>> => {
  const clients = new OAuthClients(ports.documents);
  const { id, bodyDigest } = ports.identities.of('addClient', request, digestedTerms(terms));
  const client: OAuthClient = { id, tenant: request.tenant, ...terms, createdAt: ports.clock.now().toISOString() };
  const secret = terms.confidential ? (await secretsOf(ports.keys, id))(0) : undefined;
  const stored = {
    client,
    ...(secret !== undefined && { secretDigest: digestSecret(secret) }),
    ...(bodyDigest !== undefined && { bodyDigest }),
  };
  if (await clients.add(stored)) return registered(client, secret, false);
  const earlier = await clients.get(id);
  if (!earlier || earlier.bodyDigest !== bodyDigest) return rejected('idempotency_key_reused');
  return registered(earlier.client, secret, true);
};

/** Returns the terms for a digest. A member that earlier versions did not have is left out at its default, so that digests stay. */
const digestedTerms = ({ postLogoutRedirectUris, program, scopes, ...terms }: ClientTerms): object => ({
  ...terms,
  ...(postLogoutRedirectUris.length > 0 && { postLogoutRedirectUris }),
  ...(program && { program, scopes }),
});

const registered = (client: OAuthClient, secret: string | undefined, replayed: boolean): RegisteredClient => ({
  id: client.id,
  json: JSON.stringify({ ...clientView(client), ...(secret !== undefined && { secret }) }),
  replayed,
});

/** Changes the terms of a client of a tenant. Narrower scopes end the tokens of a program. Returns the JSON of the client. */
export class ChangeClient extends RequestCommand<'ChangeClient', { readonly json: string } | Rejection<'client_not_found'>> {
  constructor(
    readonly id: string,
    readonly changes: ClientChanges,
    readonly request: RequestContext,
  ) {
    super();
  }
}

export const changeClient = async (
  ports: Ports<'aggregates' | 'documents' | 'clock' | 'revocations'>,
  { id, changes, request }: ChangeClient,
): Promise<ResultOf<ChangeClient>> => {
  const clients = new OAuthClients(ports.documents);
  let lost = false;
  const changed = await clients.change(id, (stored) => {
    if (stored.client.tenant !== request.tenant) return null;
    const client = { ...stored.client, ...changes };
    lost = stored.client.scopes.some((scope) => !client.scopes.includes(scope));
    return { ...stored, client };
  });
  if (!changed) return rejected('client_not_found');
  if (lost) await endClientSessions(ports, id, commandContext(request));
  return { json: JSON.stringify(clientView(changed.client)) };
};

/** Removes a client, and ends its tokens. Returns null on success. */
export class RemoveClient extends RequestCommand<'RemoveClient', Rejection<'client_not_found'> | null> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/**
 * Ends the sessions before the client is removed, so that an interrupted removal can be repeated, and again afterwards, because a
 * person may have given access meanwhile.
 */
export const removeClient = async (
  ports: Ports<'aggregates' | 'documents' | 'clock' | 'revocations'>,
  { id, request }: RemoveClient,
): Promise<ResultOf<RemoveClient>> => {
  const clients = new OAuthClients(ports.documents);
  const stored = await clients.get(id);
  if (stored?.client.tenant !== request.tenant) return rejected('client_not_found');
  await endClientSessions(ports, id, commandContext(request));
  await clients.remove(id);
  await endClientSessions(ports, id, commandContext(request));
  return null;
};
