import type { UserId } from '../../../domain/ids.js';
import type { UserRejection } from '../../../domain/users/user.decider.js';
import { isRejection, rejected, type Rejection } from '../../../eventsourcing/decider.js';
import type { Ports } from '../../command-ports.js';
import { commandContext, RequestCommand, type CommandRejection, type RequestContext, type ResultOf } from '../../request.js';
import type { StoredEntry } from '../../state/state-store.js';
import { Credentials } from '../credentials.js';
import { NameClaims, type HeldName } from '../names/name-claims.js';
import { createNameDigests } from '../names/name-digests.js';
import { Registration, type NewAccount } from '../registration.js';
import { DeleteUser, deleteUser, type DeletingPorts, type PlainProfile } from '../user.commands.js';
import { UserLists, type UserList } from './user-lists.js';

type NumberedAccount = NewAccount & { readonly number: number };

type ClaimsOfAccount = { readonly userId: UserId; readonly names: readonly HeldName[] };

export type NewUserInput = { readonly profile: PlainProfile; readonly password: string; readonly userStatus?: number };

/** Registers all of the accounts or none of them (contract 39.7). Returns their integer ids in the classic variant. */
export class CreateUsers extends RequestCommand<'CreateUsers', readonly number[] | CommandRejection<UserRejection | 'name_taken'>> {
  constructor(
    readonly users: readonly NewUserInput[],
    readonly request: RequestContext,
  ) {
    super();
  }
}

type CreatingPorts = DeletingPorts & Ports<'identities' | 'passwords' | 'numbers'>;

export const createUsers = (ports: CreatingPorts, { users, request }: CreateUsers): Promise<ResultOf<CreateUsers>> =>
  new ListRegistration(ports, request).registerAll(users);

/** The registration of the accounts of one request. */
class ListRegistration {
  private readonly claims: NameClaims;
  private readonly lists: UserLists;
  private readonly registration: Registration;

  constructor(
    private readonly ports: CreatingPorts,
    private readonly request: RequestContext,
  ) {
    this.claims = new NameClaims(ports);
    this.lists = new UserLists(ports.documents, ports.clock);
    this.registration = new Registration({ ...ports, claims: this.claims, credentials: new Credentials(ports.documents) });
  }

  /**
   * Claims all names before the first registration, so that no account is registered if a name is in use. Hashes the
   * passwords before the claims, because a claim lapses after some seconds.
   */
  async registerAll(users: readonly NewUserInput[]): Promise<ResultOf<CreateUsers>> {
    const accounts = await this.accountsOf(users);
    if (isRejection(accounts)) return accounts;
    const hashes: string[] = [];
    for (const { password } of users) hashes.push(await this.ports.passwords.hash(password));
    const claimed = await this.claimAll(accounts);
    if (isRejection(claimed)) return claimed;
    try {
      return await this.registerOrUndo(accounts, hashes);
    } finally {
      // Each registration has claims of its own.
      await this.freeAll(claimed);
    }
  }

  /** Returns the accounts with their ids and numbers, or the rejection that names the users whose names are in use. */
  private async accountsOf(
    users: readonly NewUserInput[],
  ): Promise<readonly NumberedAccount[] | Rejection<'name_taken' | 'contended' | 'precondition_failed'>> {
    const digests = await createNameDigests(this.ports.keys);
    const { tenant, actor, requestId } = this.request;
    const accounts: NewAccount[] = [];
    const taken: string[] = [];
    for (const [index, { profile, userStatus }] of users.entries()) {
      const names = digests.of(tenant, profile);
      const { id: userId } = this.ports.identities.of<UserId>('createUsers', { tenant, actor, requestId }, null);
      const fields = await this.claims.taken(userId, names, null, digests.isReserved(this.request, names));
      taken.push(...fields.map((field) => `[${index}].${field}`));
      accounts.push({ userId, profile, names, isStaff: false, ...(userStatus !== undefined && { userStatus }) });
    }
    if (taken.length > 0) return rejected('name_taken', taken);
    const numbered: NumberedAccount[] = [];
    for (const account of accounts) {
      const number = await this.ports.numbers.next(tenant);
      if (typeof number !== 'number') return number;
      numbered.push({ ...account, number });
    }
    return numbered;
  }

  /** Claims all names. Returns the claims, or the rejection with the index of the account. After a rejection, no claim remains. */
  private async claimAll(
    accounts: readonly NewAccount[],
  ): Promise<readonly ClaimsOfAccount[] | Rejection<'name_taken' | 'contended' | 'precondition_failed'>> {
    const claimed: ClaimsOfAccount[] = [];
    for (const [index, data] of accounts.entries()) {
      const names = await this.claims.claim(data.userId, data.names, null, commandContext(this.request));
      if (isRejection(names)) {
        await this.freeAll(claimed);
        return rejected(
          names.rejected,
          names.fields?.map((field) => `[${index}].${field}`),
        );
      }
      claimed.push({ userId: data.userId, names });
    }
    return claimed;
  }

  private async freeAll(claimed: readonly ClaimsOfAccount[]): Promise<void> {
    for (const { userId, names } of claimed) await this.claims.free(userId, names, commandContext(this.request));
  }

  /**
   * Registers all accounts and returns their integer ids. If a step fails, erases the accounts that were registered. The list is
   * stored first, so that another process can do this if this one is killed.
   */
  private async registerOrUndo(accounts: readonly NumberedAccount[], hashes: readonly string[]): Promise<ResultOf<CreateUsers>> {
    const userIds = accounts.map(({ userId }) => userId);
    const list = await this.lists.begin(userIds, this.request.tenant);
    const rejection = await this.registerEach(accounts, hashes).catch(async (error: unknown) => {
      // The list stays, because the append that failed may still be stored. The timer then erases its user.
      await this.undo(list);
      throw error;
    });
    // The list is not complete only if another process has begun to undo it. If this call throws, that process settles the list.
    if (!rejection && (await this.lists.complete(list))) return accounts.map(({ number }) => number);
    if (await this.undo(list)) await this.lists.forget(list.key);
    return rejection ?? rejected('contended');
  }

  /** Registers the accounts one after the other. Returns the first rejection, or null. */
  private async registerEach(
    accounts: readonly NumberedAccount[],
    hashes: readonly string[],
  ): Promise<CommandRejection<UserRejection | 'name_taken'> | null> {
    for (const [index, account] of accounts.entries()) {
      const outcome = await this.registration.register(account, hashes[index] ?? '', commandContext(this.request));
      if (isRejection(outcome)) return outcome;
    }
    return null;
  }

  /**
   * Erases the accounts that exist. If one erasure fails, the others still run. Returns whether all succeeded. Otherwise, for example
   * after too many conflicts, the timer tries again. It must know that the list is being undone, because an erased account counts as one that was registered.
   */
  private async undo(list: StoredEntry<UserList>): Promise<boolean> {
    const { tenant, actor, requestId } = this.request;
    await this.lists.beginUndoing(list);
    const erasures = list.value.userIds.map((id) => deleteUser(this.ports, new DeleteUser(id, { tenant, actor, requestId })));
    return (await Promise.allSettled(erasures)).every(
      (erasure) => erasure.status === 'fulfilled' && (erasure.value === null || erasure.value.rejected !== 'contended'),
    );
  }
}
