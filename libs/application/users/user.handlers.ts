import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { UserId } from '../../domain/ids.js';
import type { RegisteredUser, UserRejection } from '../../domain/users/user.decider.js';
import type { UserProfile } from '../../domain/users/user.events.js';
import { isRejection, rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { Aggregates, EventCodec, LoadedStream } from '../../eventsourcing/handle.js';
import { commandContextOf } from '../../eventsourcing/message.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { PasswordHasher } from '../../ports/password-hasher.port.js';
import { openSealed } from '../../runtime/codec/sealing.js';
import { USERS } from '../aggregates.js';
import { handleWithPrecondition, preconditionOf } from '../precondition.js';
import { commandContext, type CommandRejection, type RequestContext, type ResultOf, type View } from '../request.js';
import { AGGREGATES, CLOCK, CODEC, DOCUMENTS, EVENT_STORE, KEY_VAULT, PASSWORD_HASHER } from '../tokens.js';
import { viewFromLog } from '../views.js';
import type { PlainProfile } from './create-user.handler.js';
import { forgetPerson } from './forget-person.js';
import { Credentials } from './credentials.js';
import { isStillAt, MAX_CHANGE_ATTEMPTS, NameClaims } from './name-claims.js';
import { createNameDigests } from './name-digests.js';

/** Changes the fields of an account that are present. */
export class UpdateUser extends Command<View | CommandRejection<UserRejection | 'name_taken'>> {
  constructor(
    readonly id: string,
    readonly changes: Partial<PlainProfile>,
    readonly password: string | undefined,
    readonly request: RequestContext,
  ) {
    super();
  }
}

type Registered = LoadedStream<RegisteredUser>;

/** Loads an account. Null if it does not exist in the tenant or is erased. */
const loadRegistered = async (aggregates: Aggregates, id: string, tenant: string): Promise<Registered | null> => {
  const { state, end } = await aggregates.load(USERS, id);
  return state.kind === 'registered' && state.tenant === tenant ? { state, end } : null;
};

@CommandHandler(UpdateUser)
export class UpdateUserHandler implements ICommandHandler<UpdateUser> {
  private readonly claims: NameClaims;
  private readonly credentials: Credentials;

  constructor(
    @Inject(AGGREGATES) private readonly aggregates: Aggregates,
    @Inject(DOCUMENTS) documents: Documents,
    @Inject(PASSWORD_HASHER) private readonly passwords: PasswordHasher,
    @Inject(KEY_VAULT) private readonly keys: KeyVault,
    @Inject(EVENT_STORE) readonly store: EventStore,
    @Inject(CODEC) readonly codec: EventCodec,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.claims = new NameClaims({ aggregates, clock });
    this.credentials = new Credentials(documents);
  }

  async execute(command: UpdateUser): Promise<ResultOf<UpdateUser>> {
    const { id, request } = command;
    for (let attempt = 1; attempt <= MAX_CHANGE_ATTEMPTS; attempt++) {
      const loaded = await loadRegistered(this.aggregates, id, request.tenant);
      if (!loaded) return rejected('user_not_found');
      if (preconditionOf<RegisteredUser>(request, USERS.projection).precondition?.(loaded) === false)
        return rejected('precondition_failed');
      const rejection = await this.revise(command, loaded);
      if (!rejection) return (await this.view(id)) ?? rejected('user_not_found');
      // Another request has changed the account since it was loaded.
      if (rejection.rejected !== 'precondition_failed') return rejection;
    }
    return rejected('contended');
  }

  private async revise({ id, changes, password, request }: UpdateUser, loaded: Registered): Promise<UpdateRejection | null> {
    const userId = id as UserId;
    const plain = JSON.parse(await openSealed(this.keys, JSON.stringify(loaded.state.profile))) as PlainProfile;
    const names = (await createNameDigests(this.keys)).of(request.tenant, { ...plain, ...changes });
    const context = commandContext(request);
    const passwordHash = password === undefined ? null : await this.passwords.hash(password);
    const held = await this.claims.held(loaded.state.names, names);
    const taken = await this.claims.claim(userId, names, loaded.state.names, context);
    if (taken) return taken;
    const data = { userId, profile: revised(loaded.state.profile, plain, changes), names, changesPassword: passwordHash !== null };
    const options = { loaded, precondition: isStillAt(loaded) };
    const outcome = await this.aggregates.handle(USERS, id, { type: 'ReviseUser', data }, context, options);
    if (isRejection(outcome)) return outcome;
    // After the event that ends older tokens: if the service crashes in between, the old password still works,
    // and the client, which got no response, repeats the change.
    if (passwordHash !== null) await this.replacePassword(userId, passwordHash);
    await this.claims.free(userId, held, context);
    return null;
  }

  private async replacePassword(userId: UserId, passwordHash: string): Promise<void> {
    await this.credentials.replacePasswordHash(userId, passwordHash);
    // The account may have been erased before the hash was stored.
    const { state } = await this.aggregates.load(USERS, userId);
    if (state.kind === 'erased') await this.credentials.removePasswordHash(userId);
  }

  private async view(id: string): Promise<View | null> {
    const view = await viewFromLog(this, USERS.projection, id);
    return view && { ...view, json: await openSealed(this.keys, view.json) };
  }
}

type UpdateRejection = Rejection<UserRejection | 'name_taken' | 'contended' | 'precondition_failed'>;

/** Returns the stored profile with the values that differ. Unchanged values stay as they are stored. */
const revised = (stored: UserProfile, plain: PlainProfile, changes: Partial<PlainProfile>): UserProfile => ({
  ...stored,
  ...Object.fromEntries(Object.entries(changes).filter(([field, value]) => plain[field as keyof PlainProfile] !== value)),
});

/** Erases an account: its key is destroyed, and its names are free again. Returns null. */
export class DeleteUser extends Command<null | CommandRejection<UserRejection>> {
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
  ) {}

  async execute({ id, request }: DeleteUser): Promise<ResultOf<DeleteUser>> {
    const userId = id as UserId;
    const outcome = await handleWithPrecondition(this.aggregates, USERS, id, { type: 'EraseUser', data: { userId } }, request);
    if (isRejection(outcome)) return outcome;
    const [erased] = outcome.events;
    if (erased?.type === 'UserErased') await forgetPerson(this, { userId, names: erased.data }, commandContextOf(erased));
    return null;
  }
}

/** The command handlers of accounts, except for registration, for the module. */
export const USER_COMMAND_HANDLERS = [UpdateUserHandler, DeleteUserHandler];
