import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { userStream, type UserId } from '../../domain/ids.js';
import type { UserCommand } from '../../domain/users/user.commands.js';
import type { UserRejection, UserState } from '../../domain/users/user.decider.js';
import type { UserEvent } from '../../domain/users/user.events.js';
import { isRejection, rejected } from '../../eventsourcing/decider.js';
import type { Aggregates, AppendedEvent, CommandResult, EventCodec } from '../../eventsourcing/handle.js';
import type { CommandContext } from '../../eventsourcing/message.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { PasswordHasher } from '../../ports/password-hasher.port.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { openSealed } from '../../runtime/codec/sealing.js';
import { readHistory } from '../../runtime/codec/verified-history.js';
import { USERS } from '../aggregates.js';
import { createdView } from '../creation.js';
import type { Identities } from '../identities.js';
import { commandContext, type CommandRejection, type CreationResult, type RequestContext, type ResultOf } from '../request.js';
import { AGGREGATES, CLOCK, CODEC, DOCUMENTS, EVENT_STORE, IDENTITIES, KEY_VAULT, PASSWORD_HASHER } from '../tokens.js';
import { Credentials } from './credentials.js';
import { isStillAt, MAX_CHANGE_ATTEMPTS, NameClaims } from './name-claims.js';
import { createNameDigests } from './name-digests.js';

/** The profile of an account, in plain text. */
export type PlainProfile = {
  readonly username: string;
  readonly email: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly phone?: string;
};

type RegisterUser = Extract<UserCommand, { type: 'RegisterUser' }>;

/** Registers an account. The password is stored only as a hash, outside the log. */
export class CreateUser extends Command<
  CreationResult | CommandRejection<UserRejection | 'name_taken' | 'user_erased' | 'idempotency_key_reused'>
> {
  constructor(
    readonly profile: PlainProfile,
    readonly password: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(CreateUser)
export class CreateUserHandler implements ICommandHandler<CreateUser> {
  private readonly claims: NameClaims;
  private readonly credentials: Credentials;

  constructor(
    @Inject(AGGREGATES) private readonly aggregates: Aggregates,
    @Inject(IDENTITIES) private readonly identities: Identities,
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

  async execute({ profile, password, request }: CreateUser): Promise<ResultOf<CreateUser>> {
    const { id, bodyDigest } = this.identities.of<UserId>('createUser', request, profile);
    const earlier = bodyDigest && (await this.readRegistration(id));
    if (earlier) return this.replay(id, earlier, bodyDigest);
    const passwordHash = await this.passwords.hash(password);
    const names = (await createNameDigests(this.keys)).of(request.tenant, profile);
    const command = { type: 'RegisterUser', data: { userId: id, profile, names } } as const;
    const outcome = await this.register(command, passwordHash, commandContext(request, bodyDigest));
    if (isRejection(outcome) && outcome.rejected !== 'user_exists') return outcome;
    const registered = isRejection(outcome) ? undefined : outcome.events[0];
    const registration = registered ?? (await this.readRegistration(id));
    if (!registration) return rejected('user_not_found');
    return registered ? this.result(registration, bodyDigest, false) : this.replay(id, registration, bodyDigest);
  }

  /**
   * Claims the names, stores the hash and appends the registration, in this order, so that every account that
   * exists has its names and can sign in. After a crash in between, the claims lapse.
   */
  private async register(
    command: RegisterUser,
    passwordHash: string,
    context: CommandContext,
  ): Promise<CommandResult<UserState, UserEvent> | CommandRejection<UserRejection | 'name_taken'>> {
    const { userId, names } = command.data;
    for (let attempt = 1; attempt <= MAX_CHANGE_ATTEMPTS; attempt++) {
      const loaded = await this.aggregates.load(USERS, userId);
      if (loaded.state.kind !== 'unregistered') return rejected('user_exists');
      const rejection = await this.claims.claim(userId, names, null, context);
      if (rejection) return rejection;
      await this.credentials.addPasswordHash(userId, passwordHash);
      const outcome = await this.aggregates.handle(USERS, userId, command, context, { loaded, precondition: isStillAt(loaded) });
      if (!isRejection(outcome) || outcome.rejected !== 'precondition_failed') return outcome;
    }
    return rejected('contended');
  }

  /** Returns the result of the request that was sent first, unless its account has been erased since. */
  private async replay(id: UserId, registration: AppendedEvent, bodyDigest: string | undefined): Promise<ResultOf<CreateUser>> {
    const { state } = await this.aggregates.load(USERS, id);
    return state.kind === 'erased' ? rejected('user_erased') : this.result(registration, bodyDigest, true);
  }

  private async readRegistration(id: UserId): Promise<AppendedEvent | null> {
    const events = await readHistory(this, userStream(id));
    return events.find((event) => eventOf<UserEvent>(event).type === 'UserRegistered') ?? null;
  }

  private async result(registration: AppendedEvent, bodyDigest: string | undefined, replayed: boolean): Promise<ResultOf<CreateUser>> {
    const result = createdView(USERS.projection, registration, { bodyDigest, replayed });
    return isRejection(result) ? result : { ...result, json: await openSealed(this.keys, result.json) };
  }
}
