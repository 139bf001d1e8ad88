import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { Page } from '../request.js';
import { clientView, OAuthClients } from './clients.js';

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

  constructor(documents: Documents) {
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

  constructor(documents: Documents) {
    this.clients = new OAuthClients(documents);
  }

  async execute({ page, limit, tenant }: ListClients): Promise<Page> {
    const { clients, total } = await this.clients.list(tenant, page, limit);
    return { items: clients.map((client) => JSON.stringify(clientView(client))), totalItems: total };
  }
}

/** The query handlers of clients, for the module. */
export const CLIENT_QUERY_HANDLERS = [GetClientHandler, ListClientsHandler];
