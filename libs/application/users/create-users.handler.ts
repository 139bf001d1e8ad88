import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { UserId } from '../../domain/ids.js';
import type { UserRejection } from '../../domain/users/user.decider.js';
import { isRejection, rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { Aggregates } from '../../eventsourcing/handle.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { PasswordHasher } from '../../ports/password-hasher.port.js';
import type { Identities } from '../identities.js';
import { commandContext, type CommandRejection, type RequestContext, type ResultOf } from '../request.js';
import { AGGREGATES, CLOCK, DOCUMENTS, IDENTITIES, KEY_VAULT, PASSWORD_HASHER } from '../tokens.js';
import type { PlainProfile } from './create-user.handler.js';
import { Credentials } from './credentials.js';
import { NameClaims, type HeldName } from './names/name-claims.js';
import { createNameDigests } from './names/name-digests.js';
import { Registration, type NewAccount } from './registration.js';
import { DeleteUser } from './user.handlers.js';

type ClaimsOfAccount = { readonly userId: UserId; readonly names: readonly HeldName[] };

export type NewUserInput = { readonly profile: PlainProfile; readonly password: string; readonly userStatus?: number };

/** Registers all of the accounts or none of them (contract 39.7). Returns their ids. */
export class CreateUsers extends Command<readonly UserId[] | CommandRejection<UserRejection | 'name_taken'>> {
  constructor(
    readonly users: readonly NewUserInput[],
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(CreateUsers)
export class CreateUsersHandler implements ICommandHandler<CreateUsers> {
  private readonly claims: NameClaims;
  private readonly registration: Registration;

  constructor(
    @Inject(AGGREGATES) aggregates: Aggregates,
    @Inject(IDENTITIES) private readonly identities: Identities,
    @Inject(DOCUMENTS) documents: Documents,
    @Inject(PASSWORD_HASHER) private readonly passwords: PasswordHasher,
    @Inject(KEY_VAULT) private readonly keys: KeyVault,
    @Inject(CLOCK) clock: Clock,
    @Inject(CommandBus) private readonly commands: CommandBus,
  ) {
    this.claims = new NameClaims({ aggregates, clock });
    this.registration = new Registration({ aggregates, identities, claims: this.claims, credentials: new Credentials(documents) });
  }

  /**
   * Claims all names before the first registration, so that no account is registered if a name is in use. Hashes the
   * passwords before the claims, because a claim lapses after some seconds.
   */
  async execute({ users, request }: CreateUsers): Promise<ResultOf<CreateUsers>> {
    const registrations = await this.registrationsOf(users, request);
    if (isRejection(registrations)) return registrations;
    const hashes: string[] = [];
    for (const { password } of users) hashes.push(await this.passwords.hash(password));
    const claimed = await this.claimAll(registrations, request);
    if (isRejection(claimed)) return claimed;
    try {
      return await this.registerAll(registrations, hashes, request);
    } finally {
      // Each registration has claims of its own.
      await this.freeAll(claimed, request);
    }
  }

  private async registrationsOf(
    users: readonly NewUserInput[],
    request: RequestContext,
  ): Promise<readonly NewAccount[] | Rejection<'name_taken'>> {
    const digests = await createNameDigests(this.keys);
    const registrations: NewAccount[] = [];
    const taken: string[] = [];
    for (const [index, { profile, userStatus }] of users.entries()) {
      const names = digests.of(request.tenant, profile);
      const { tenant, actor, requestId } = request;
      const { id: userId } = this.identities.of<UserId>('createUsers', { tenant, actor, requestId }, null);
      const fields = await this.claims.taken(userId, names, null, digests.isReserved(request, names));
      taken.push(...fields.map((field) => `[${index}].${field}`));
      registrations.push({ userId, profile, names, isStaff: false, ...(userStatus !== undefined && { userStatus }) });
    }
    return taken.length > 0 ? rejected('name_taken', taken) : registrations;
  }

  /** Claims all names. Returns the claims, or the rejection with the index of the account. After a rejection, no claim remains. */
  private async claimAll(
    registrations: readonly NewAccount[],
    request: RequestContext,
  ): Promise<readonly ClaimsOfAccount[] | Rejection<'name_taken' | 'contended' | 'precondition_failed'>> {
    const claimed: ClaimsOfAccount[] = [];
    for (const [index, data] of registrations.entries()) {
      const names = await this.claims.claim(data.userId, data.names, null, commandContext(request));
      if (isRejection(names)) {
        await this.freeAll(claimed, request);
        return rejected(
          names.rejected,
          names.fields?.map((field) => `[${index}].${field}`),
        );
      }
      claimed.push({ userId: data.userId, names });
    }
    return claimed;
  }

  private async freeAll(claimed: readonly ClaimsOfAccount[], request: RequestContext): Promise<void> {
    for (const { userId, names } of claimed) await this.claims.free(userId, names, commandContext(request));
  }

  /** Registers all accounts and returns their ids. If one registration fails, erases all accounts that were registered. */
  private async registerAll(
    registrations: readonly NewAccount[],
    hashes: readonly string[],
    request: RequestContext,
  ): Promise<ResultOf<CreateUsers>> {
    const begun: UserId[] = [];
    try {
      for (const [index, registration] of registrations.entries()) {
        // The id is added before the registration: a registration that throws may have been stored, and must then be erased.
        begun.push(registration.userId);
        const outcome = await this.registration.register(registration, hashes[index] ?? '', commandContext(request));
        if (isRejection(outcome)) {
          await this.eraseAll(begun, request);
          return outcome;
        }
      }
    } catch (error) {
      await this.eraseAll(begun, request);
      throw error;
    }
    return begun;
  }

  /** Erases the accounts that exist. If one erasure fails, the other erasures still run. */
  private async eraseAll(ids: readonly UserId[], { tenant, actor, requestId }: RequestContext): Promise<void> {
    await Promise.allSettled(ids.map((id) => this.commands.execute(new DeleteUser(id, { tenant, actor, requestId }))));
  }
}
