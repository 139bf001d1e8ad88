import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { UserId } from '../../domain/ids.js';
import type { RegisteredUser, UserRejection, UserState } from '../../domain/users/user.decider.js';
import type { UserEvent, UserProfile } from '../../domain/users/user.events.js';
import { isRejection, rejected, type Rejection } from '../../eventsourcing/decider.js';
import { MAX_ATTEMPTS, type Aggregates } from '../../eventsourcing/handle.js';
import type { CommandResult, LoadedStream } from '../../eventsourcing/streams/aggregate.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { PasswordHasher } from '../../ports/password-hasher.port.js';
import { USERS } from '../aggregates.js';
import type { Identities } from '../identities.js';
import { handleWithPrecondition, isStillAt, preconditionOf } from '../precondition.js';
import { commandContext, type CommandRejection, type RequestContext, type ResultOf, type View } from '../request.js';
import { endTokensAfter } from '../sessions/end-tokens.js';
import type { Revocations } from '../sessions/revocations.js';
import { AGGREGATES, CLOCK, DOCUMENTS, IDENTITIES, KEY_VAULT, PASSWORD_HASHER, REVOCATIONS } from '../tokens.js';
import { viewAfter } from '../views.js';
import type { PlainProfile } from './create-user.handler.js';
import { eraseAccount } from './erase-account.js';
import { Credentials } from './credentials.js';
import { NameClaims } from './names/name-claims.js';
import { createNameDigests } from './names/name-digests.js';
import { openAccount } from './open-account.js';

/** Values of a profile to change. Null removes a value. */
export type ProfileChanges = Partial<Pick<PlainProfile, 'username' | 'email'>> & {
  readonly [Field in 'firstName' | 'lastName' | 'phone']?: string | null;
};

/** Changes the given fields of an account. Absent fields do not change. */
export class UpdateUser extends Command<View | CommandRejection<UserRejection | 'name_taken'>> {
  constructor(
    readonly id: string,
    readonly changes: ProfileChanges,
    readonly password: string | undefined,
    readonly request: RequestContext,
    /** A number of the classic variant, without any effect (contract 39.7). */
    readonly userStatus?: number,
  ) {
    super();
  }
}

type Registered = LoadedStream<RegisteredUser>;

/** Loads an account. Null if it does not exist in the tenant or is erased. */
const loadRegistered = async (aggregates: Aggregates, id: string, tenant: string): Promise<Registered | null> => {
  const { state, ...rest } = await aggregates.load(USERS, id);
  return state.kind === 'registered' && state.tenant === tenant ? { state, ...rest } : null;
};

@CommandHandler(UpdateUser)
export class UpdateUserHandler implements ICommandHandler<UpdateUser> {
  private readonly claims: NameClaims;
  private readonly credentials: Credentials;

  constructor(
    @Inject(AGGREGATES) readonly aggregates: Aggregates,
    @Inject(DOCUMENTS) readonly documents: Documents,
    @Inject(PASSWORD_HASHER) private readonly passwords: PasswordHasher,
    @Inject(KEY_VAULT) private readonly keys: KeyVault,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(IDENTITIES) private readonly identities: Identities,
    @Inject(REVOCATIONS) readonly revocations: Revocations,
  ) {
    this.claims = new NameClaims({ aggregates, clock });
    this.credentials = new Credentials(documents);
  }

  async execute(command: UpdateUser): Promise<ResultOf<UpdateUser>> {
    const { id, request } = command;
    let credentialId: string | null = null;
    let outcome: UpdateResult = rejected('contended');
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const loaded = await loadRegistered(this.aggregates, id, request.tenant);
      const refusal = this.refuse(request, loaded);
      outcome = refusal ?? outcome;
      if (refusal || !loaded) break;
      // Only the first attempt hashes. A hash in each attempt would let concurrent changes of one account occupy the hasher.
      credentialId ??= await this.storePassword(command);
      outcome = await this.revise(command, loaded, credentialId);
      if (!isRejection(outcome) || outcome.rejected !== 'precondition_failed') break;
      // Another request has changed the account since it was loaded.
      outcome = rejected('contended');
    }
    if (!isRejection(outcome)) return (await this.view(id, outcome)) ?? rejected('user_not_found');
    if (credentialId !== null) await this.credentials.removePasswordHash(id, credentialId);
    return outcome;
  }

  private refuse(request: RequestContext, loaded: Registered | null): UpdateRejection | null {
    if (!loaded) return rejected('user_not_found');
    const { precondition } = preconditionOf<RegisteredUser>(request, USERS);
    return precondition?.(loaded) === false ? rejected('precondition_failed') : null;
  }

  /**
   * Stores the hash of a new password under a new id. The old password works until an event of the account names that id.
   * Returns the id, or null if the password does not change.
   */
  private async storePassword({ id, password, request }: UpdateUser): Promise<string | null> {
    if (password === undefined) return null;
    const passwordHash = await this.passwords.hash(password);
    const { tenant, actor, requestId } = request;
    const credentialId = this.identities.of<string>('changePassword', { tenant, actor, requestId }, null).id;
    await this.credentials.storePasswordHash(id, credentialId, passwordHash);
    return credentialId;
  }

  private async revise(
    { id, changes, request, userStatus }: UpdateUser,
    loaded: Registered,
    credentialId: string | null,
  ): Promise<UpdateResult> {
    const userId = id as UserId;
    const json = await openAccount(this.keys, JSON.stringify(loaded.state.profile));
    if (json === null) return rejected('user_not_found');
    const plain = JSON.parse(json) as PlainProfile;
    const digests = await createNameDigests(this.keys);
    const names = digests.of(request.tenant, { ...plain, ...changes });
    const context = commandContext(request);
    const held = await this.claims.held(loaded.state.names, names);
    const claimed = await this.claims.claim(userId, names, loaded.state.names, context, digests.isReserved(request, names));
    if (isRejection(claimed)) return claimed;
    const data = {
      userId,
      profile: revised(loaded.state.profile, plain, changes),
      names,
      credentialId,
      ...(userStatus !== undefined && { userStatus }),
    };
    const options = { loaded, precondition: isStillAt(loaded) };
    const outcome = await this.aggregates.handle(USERS, id, { type: 'UpdateUser', data }, context, options);
    if (isRejection(outcome)) {
      await this.claims.free(userId, claimed, context);
      return outcome;
    }
    await endTokensAfter(this, userId, outcome.events);
    // Removes only the replaced hash. A concurrent request may have stored another hash, and may not have appended its event yet.
    if (credentialId !== null) await this.credentials.removePasswordHash(userId, loaded.state.credentialId);
    await this.claims.free(userId, held, context);
    return outcome;
  }

  private async view(id: string, changed: CommandResult<UserState, UserEvent>): Promise<View | null> {
    const view = viewAfter(USERS, id, changed);
    const json = view && (await openAccount(this.keys, view.json));
    return view && json !== null ? { ...view, json } : null;
  }
}

type UpdateRejection = Rejection<UserRejection | 'name_taken' | 'contended' | 'precondition_failed'>;
type UpdateResult = CommandResult<UserState, UserEvent> | UpdateRejection;

/** Returns the stored profile with the changed values. Values that do not change stay encrypted as they are stored. */
const revised = (stored: UserProfile, plain: PlainProfile, changes: ProfileChanges): UserProfile => {
  const changed = Object.entries(changes).filter(([field, value]) => plain[field as keyof PlainProfile] !== value);
  const values = Object.entries({ ...stored, ...Object.fromEntries(changed) });
  return Object.fromEntries(values.filter(([, value]) => value !== null)) as UserProfile;
};

/** Erases an account. Returns null on success. */
export class DeleteUser extends Command<null | CommandRejection<UserRejection | 'last_staff'>> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(DeleteUser)
export class DeleteUserHandler implements ICommandHandler<DeleteUser> {
  constructor(
    @Inject(AGGREGATES) readonly aggregates: Aggregates,
    @Inject(KEY_VAULT) readonly keys: KeyVault,
    @Inject(DOCUMENTS) readonly documents: Documents,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(REVOCATIONS) readonly revocations: Revocations,
  ) {}

  async execute({ id, request }: DeleteUser): Promise<ResultOf<DeleteUser>> {
    return eraseAccount(this, id as UserId, (command) => handleWithPrecondition(this.aggregates, USERS, id, command, request));
  }
}

/** The command handlers of accounts, for the module. The handlers that create accounts are not in this list. */
export const USER_COMMAND_HANDLERS = [UpdateUserHandler, DeleteUserHandler];
