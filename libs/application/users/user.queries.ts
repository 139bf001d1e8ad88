import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { openSealed } from '../../runtime/codec/sealing.js';
import { USERS } from '../aggregates.js';
import { pageOf, viewInTenant } from '../reading.js';
import type { Page, ResultOf, View } from '../request.js';
import { DOCUMENTS, KEY_VAULT } from '../tokens.js';

/** One account, or null. */
export class GetUser extends Query<View | null> {
  constructor(
    readonly id: string,
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(GetUser)
export class GetUserHandler implements IQueryHandler<GetUser> {
  constructor(
    @Inject(DOCUMENTS) private readonly documents: Documents,
    @Inject(KEY_VAULT) private readonly keys: KeyVault,
  ) {}

  async execute({ id, tenant }: GetUser): Promise<ResultOf<GetUser>> {
    const view = await viewInTenant(this.documents, USERS.projection, id, tenant);
    return view && { ...view, json: await openSealed(this.keys, view.json) };
  }
}

/** A page of accounts, newest first. `page` starts at 1. */
export class ListUsers extends Query<Page> {
  constructor(
    readonly page: number,
    readonly limit: number,
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(ListUsers)
export class ListUsersHandler implements IQueryHandler<ListUsers> {
  constructor(
    @Inject(DOCUMENTS) private readonly documents: Documents,
    @Inject(KEY_VAULT) private readonly keys: KeyVault,
  ) {}

  async execute({ page, limit, tenant }: ListUsers): Promise<ResultOf<ListUsers>> {
    const { collection } = USERS.projection;
    const found = await pageOf(this.documents, collection, { where: { tenant }, sort: ['-createdAt'], page, limit }, 'sum');
    return { ...found, items: await Promise.all(found.items.map((json) => openSealed(this.keys, json))) };
  }
}

/** The query handlers of accounts, for the module. */
export const USER_QUERY_HANDLERS = [GetUserHandler, ListUsersHandler];
