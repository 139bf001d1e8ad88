import { Inject } from '@nestjs/common';
import { Command, CommandHandler, Query, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import { rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { Aggregates } from '../../eventsourcing/handle.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { Identities } from '../identities.js';
import { commandContext, type Page, type RequestContext, type ResultOf } from '../request.js';
import { endClientSessions } from '../sessions/end-tokens.js';
import type { Revocations } from '../sessions/revocations.js';
import { AGGREGATES, CLOCK, DOCUMENTS, IDENTITIES, KEY_VAULT, REVOCATIONS } from '../tokens.js';
import { clientView, digestSecret, OAuthClients, type ClientChanges, type ClientTerms, type OAuthClient } from './clients.js';
import { secretsOf } from './client-secrets.js';

/** A registered client. `json` contains the client's secret, if the client has one. */
export type RegisteredClient = { readonly id: string; readonly json: string; readonly replayed: boolean };

/** Registers a client in the tenant of the request. */
export class AddClient extends Command<RegisteredClient | Rejection<'idempotency_key_reused'>> {
  constructor(
    readonly terms: ClientTerms,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(AddClient)
export class AddClientHandler implements ICommandHandler<AddClient> {
  private readonly clients: OAuthClients;

  constructor(
    @Inject(DOCUMENTS) documents: Documents,
    @Inject(IDENTITIES) private readonly identities: Identities,
    @Inject(KEY_VAULT) private readonly keys: KeyVault,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.clients = new OAuthClients(documents);
  }

  /** The secret is derived from the client's id with a service key, so that a replayed response contains the same secret. */
  async execute({ terms, request }: AddClient): Promise<ResultOf<AddClient>> {
    const { id, bodyDigest } = this.identities.of('addClient', request, digestedTerms(terms));
    const client: OAuthClient = { id, tenant: request.tenant, ...terms, createdAt: this.clock.now().toISOString() };
    const secret = terms.confidential ? (await secretsOf(this.keys, id))(0) : undefined;
    const stored = {
      client,
      ...(secret !== undefined && { secretDigest: digestSecret(secret) }),
      ...(bodyDigest !== undefined && { bodyDigest }),
    };
    if (await this.clients.add(stored)) return registered(client, secret, false);
    const earlier = await this.clients.get(id);
    if (!earlier || earlier.bodyDigest !== bodyDigest) return rejected('idempotency_key_reused');
    return registered(earlier.client, secret, true);
  }
}

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
export class ChangeClient extends Command<{ readonly json: string } | Rejection<'client_not_found'>> {
  constructor(
    readonly id: string,
    readonly changes: ClientChanges,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(ChangeClient)
export class ChangeClientHandler implements ICommandHandler<ChangeClient> {
  private readonly clients: OAuthClients;

  constructor(
    @Inject(AGGREGATES) readonly aggregates: Aggregates,
    @Inject(DOCUMENTS) readonly documents: Documents,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(REVOCATIONS) readonly revocations: Revocations,
  ) {
    this.clients = new OAuthClients(documents);
  }

  async execute({ id, changes, request }: ChangeClient): Promise<ResultOf<ChangeClient>> {
    let lost = false;
    const changed = await this.clients.change(id, (stored) => {
      if (stored.client.tenant !== request.tenant) return null;
      const client = { ...stored.client, ...changes };
      lost = stored.client.scopes.some((scope) => !client.scopes.includes(scope));
      return { ...stored, client };
    });
    if (!changed) return rejected('client_not_found');
    if (lost) await endClientSessions(this, id, commandContext(request));
    return { json: JSON.stringify(clientView(changed.client)) };
  }
}

/** Removes a client, and ends its tokens. Returns null on success. */
export class RemoveClient extends Command<Rejection<'client_not_found'> | null> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(RemoveClient)
export class RemoveClientHandler implements ICommandHandler<RemoveClient> {
  private readonly clients: OAuthClients;

  constructor(
    @Inject(AGGREGATES) readonly aggregates: Aggregates,
    @Inject(DOCUMENTS) readonly documents: Documents,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(REVOCATIONS) readonly revocations: Revocations,
  ) {
    this.clients = new OAuthClients(documents);
  }

  /**
   * Ends the sessions before the client is removed, so that an interrupted removal can be repeated, and again afterwards, because a
   * person may have given access meanwhile.
   */
  async execute({ id, request }: RemoveClient): Promise<ResultOf<RemoveClient>> {
    const stored = await this.clients.get(id);
    if (stored?.client.tenant !== request.tenant) return rejected('client_not_found');
    await endClientSessions(this, id, commandContext(request));
    await this.clients.remove(id);
    await endClientSessions(this, id, commandContext(request));
    return null;
  }
}

/** The JSON of one client of a tenant, without its secret, or null. */
export class GetClient extends Query<string | null> {
  constructor(
    readonly id: string,
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(GetClient)
export class GetClientHandler implements IQueryHandler<GetClient> {
  private readonly clients: OAuthClients;

  constructor(@Inject(DOCUMENTS) documents: Documents) {
    this.clients = new OAuthClients(documents);
  }

  async execute({ id, tenant }: GetClient): Promise<string | null> {
    const stored = await this.clients.get(id);
    return stored?.client.tenant === tenant ? JSON.stringify(clientView(stored.client)) : null;
  }
}

/** A page of a tenant's clients, newest first, without secrets. `page` starts at 1. */
export class ListClients extends Query<Page> {
  constructor(
    readonly page: number,
    readonly limit: number,
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(ListClients)
export class ListClientsHandler implements IQueryHandler<ListClients> {
  private readonly clients: OAuthClients;

  constructor(@Inject(DOCUMENTS) documents: Documents) {
    this.clients = new OAuthClients(documents);
  }

  async execute({ page, limit, tenant }: ListClients): Promise<Page> {
    const { clients, total } = await this.clients.list(tenant, page, limit);
    return { items: clients.map((client) => JSON.stringify(clientView(client))), totalItems: total };
  }
}
