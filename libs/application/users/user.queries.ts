import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { numberFromId } from '../../domain/number-from-id.js';
import { Aggregates } from '../../eventsourcing/aggregates.js';
import { Clock } from '../../eventsourcing/ports/clock.port.js';
import { Documents, type StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { UserFields } from '../../projections/users.projection.js';
import { USERS } from '../aggregates.js';
import { pageOf, viewInTenant } from '../reading.js';
import type { Page, ResultOf, View } from '../request.js';
import { NameClaims } from './names/name-claims.js';
import { createNameDigests } from './names/name-digests.js';
import { openAccount } from './open-account.js';

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
    private readonly documents: Documents,
    private readonly keys: KeyVault,
  ) {}

  async execute({ id, tenant }: GetUser): Promise<ResultOf<GetUser>> {
    const view = await viewInTenant(this.documents, USERS.projection, id, tenant);
    const json = view && (await openAccount(this.keys, view.json));
    return view && json !== null ? { ...view, json } : null;
  }
}

/**
 * A page of accounts, newest first. `page` starts at 1. `items` omits the accounts that are being erased, but `totalItems`
 * includes them.
 */
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
    private readonly documents: Documents,
    private readonly keys: KeyVault,
  ) {}

  async execute({ page, limit, tenant }: ListUsers): Promise<ResultOf<ListUsers>> {
    const { collection } = USERS.projection;
    const found = await pageOf(this.documents, collection, { where: { tenant }, sort: ['-createdAt'], page, limit }, 'sum');
    const items = await Promise.all(found.items.map((json) => openAccount(this.keys, json)));
    return { ...found, items: items.filter((json) => json !== null) };
  }
}

/** An account with its status, which only operators see. `json` is the account as the API returns it. */
export type AccountWithStatus = {
  readonly json: string;
  readonly isStaff: boolean;
  readonly isDisabled: boolean;
  readonly userStatus: number | null;
  /** The integer id in the classic variant (contract 39.3). */
  readonly number: number;
};

/** Returns an account with its status, or null if the account is being erased. */
const withStatus = async (keys: KeyVault, stored: Pick<StoredDocument, 'key' | 'json' | 'fields'>): Promise<AccountWithStatus | null> => {
  const { isStaff, isDisabled, userStatus = null, number = numberFromId(stored.key) } = stored.fields as UserFields;
  const json = await openAccount(keys, stored.json);
  return json === null ? null : { json, isStaff: isStaff === 1, isDisabled: isDisabled === 1, userStatus, number };
};

/** An account with its status, by its id or by its username, or null. */
export class FindAccount extends Query<AccountWithStatus | null> {
  constructor(
    readonly by: { readonly id: string } | { readonly username: string },
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(FindAccount)
export class FindAccountHandler implements IQueryHandler<FindAccount> {
  private readonly claims: NameClaims;

  constructor(
    aggregates: Aggregates,
    clock: Clock,
    private readonly documents: Documents,
    private readonly keys: KeyVault,
  ) {
    this.claims = new NameClaims({ aggregates, clock });
  }

  async execute({ by, tenant }: FindAccount): Promise<ResultOf<FindAccount>> {
    const id = 'id' in by ? by.id : await this.userOf(by.username, tenant);
    if (id === null) return null;
    const view = await viewInTenant(this.documents, USERS.projection, id, tenant);
    return view && withStatus(this.keys, { ...view, key: id });
  }

  private async userOf(username: string, tenant: string): Promise<string | null> {
    const found = await this.claims.accountOf((await createNameDigests(this.keys)).username(tenant, username));
    return found && found.userId;
  }
}

/** A page of accounts with their status, newest first. `page` starts at 1. */
export class ListAccounts extends Query<{ readonly items: readonly AccountWithStatus[]; readonly totalItems: number }> {
  constructor(
    readonly page: number,
    readonly limit: number,
    readonly tenant: string,
  ) {
    super();
  }
}

@QueryHandler(ListAccounts)
export class ListAccountsHandler implements IQueryHandler<ListAccounts> {
  constructor(
    private readonly documents: Documents,
    private readonly keys: KeyVault,
  ) {}

  async execute({ page, limit, tenant }: ListAccounts): Promise<ResultOf<ListAccounts>> {
    const { collection } = USERS.projection;
    const totalItems = (await this.documents.sum(collection, { tenant }))[''] ?? 0;
    const query = { where: { tenant }, sort: ['-createdAt'], limit, offset: (page - 1) * limit };
    const found = query.offset < totalItems ? await this.documents.find(collection, query) : [];
    const items = await Promise.all(found.map((document) => withStatus(this.keys, document)));
    return { items: items.filter((item) => item !== null), totalItems };
  }
}

/** The query handlers of accounts, for the module. */
export const USER_QUERY_HANDLERS = [GetUserHandler, ListUsersHandler, FindAccountHandler, ListAccountsHandler];
