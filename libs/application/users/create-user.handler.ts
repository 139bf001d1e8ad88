import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { userStream, type UserId } from '../../domain/ids.js';
import type { UserRejection } from '../../domain/users/user.decider.js';
import type { UserEvent } from '../../domain/users/user.events.js';
import { isRejection, rejected } from '../../eventsourcing/decider.js';
import type { Aggregates } from '../../eventsourcing/handle.js';
import type { AppendedEvent, EventCodec } from '../../eventsourcing/event-codec.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { PasswordHasher } from '../../ports/password-hasher.port.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { readHistoryPages } from '../../runtime/codec/verified-history.js';
import { USERS } from '../aggregates.js';
import { createdView } from '../creation.js';
import { viewAfter } from '../views.js';
import type { Identities } from '../identities.js';
import { Numbers } from '../numbers/numbers.js';
import { commandContext, type CommandRejection, type CreationResult, type RequestContext, type ResultOf, type View } from '../request.js';
import { AGGREGATES, CLOCK, CODEC, DOCUMENTS, EVENT_STORE, IDENTITIES, KEY_VAULT, PASSWORD_HASHER } from '../tokens.js';
import { Credentials } from './credentials.js';
import { NameClaims } from './names/name-claims.js';
import { createNameDigests } from './names/name-digests.js';
import { openAccount } from './open-account.js';
import { Registration } from './registration.js';

/** The profile of an account, in plain text. */
export type PlainProfile = {
  readonly username: string;
  readonly email: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly phone?: string;
};

/** What differs between the operations that create accounts. */
export type CreateUserOptions = {
  /** The operation to which an Idempotency-Key belongs. Default: that of the registration. */
  readonly operation?: 'createUser' | 'createAccount' | 'createClassicUser' | 'createStaffAccount';
  readonly isStaff?: boolean;
  /** A number of the classic variant, without any effect (contract 39.7). */
  readonly userStatus?: number | undefined;
};

/** Registers an account. The password is stored only as a hash, outside the log. */
export class CreateUser extends Command<
  CreationResult | CommandRejection<UserRejection | 'name_taken' | 'user_erased' | 'idempotency_key_reused'>
> {
  constructor(
    readonly profile: PlainProfile,
    readonly password: string,
    readonly request: RequestContext,
    readonly options: CreateUserOptions = {},
  ) {
    super();
  }
}

@CommandHandler(CreateUser)
export class CreateUserHandler implements ICommandHandler<CreateUser> {
  private readonly claims: NameClaims;
  private readonly credentials: Credentials;
  private readonly registration: Registration;

  constructor(
    @Inject(AGGREGATES) private readonly aggregates: Aggregates,
    @Inject(IDENTITIES) private readonly identities: Identities,
    @Inject(DOCUMENTS) documents: Documents,
    @Inject(PASSWORD_HASHER) private readonly passwords: PasswordHasher,
    @Inject(KEY_VAULT) private readonly keys: KeyVault,
    @Inject(EVENT_STORE) readonly store: EventStore,
    @Inject(CODEC) readonly codec: EventCodec,
    @Inject(CLOCK) clock: Clock,
    @Inject(Numbers) private readonly numbers: Numbers,
  ) {
    this.credentials = new Credentials(documents);
    this.claims = new NameClaims({ aggregates, clock });
    this.registration = new Registration({ aggregates, identities, claims: this.claims, credentials: this.credentials });
  }

  async execute({ profile, password, request, options }: CreateUser): Promise<ResultOf<CreateUser>> {
    const { operation = 'createUser', isStaff = false, userStatus } = options;
    // The digest of the first staff account's request is that of earlier versions: each start repeats that request.
    const body = { ...profile, ...(operation === 'createAccount' && { isStaff }), ...(userStatus !== undefined && { userStatus }) };
    const { id, bodyDigest } = this.identities.of<UserId>(operation, request, body);
    const earlier = bodyDigest && (await this.readRegistration(id));
    if (earlier) return this.replay(id, earlier, bodyDigest);
    const digests = await createNameDigests(this.keys);
    const names = digests.of(request.tenant, profile);
    const taken = await this.claims.taken(id, names, null, digests.isReserved(request, names));
    if (taken.length > 0) return rejected('name_taken', taken);
    const passwordHash = await this.passwords.hash(password);
    const number = await this.numbers.next(request.tenant);
    if (typeof number !== 'number') return number;
    const data = { userId: id, profile, names, isStaff, number, ...(userStatus !== undefined && { userStatus }) };
    const outcome = await this.registration.register(data, passwordHash, commandContext(request, bodyDigest));
    if (!isRejection(outcome)) return this.opened(viewAfter(USERS, id, outcome), false);
    if (outcome.rejected !== 'user_exists') return outcome;
    const registration = await this.readRegistration(id);
    return registration ? this.replay(id, registration, bodyDigest) : rejected('user_not_found');
  }

  /** Returns the result of the earlier request, or the rejection `user_erased` if its account has been erased since. */
  private async replay(id: UserId, registration: AppendedEvent, bodyDigest: string | undefined): Promise<ResultOf<CreateUser>> {
    const { state } = await this.aggregates.load(USERS, id);
    if (state.kind !== 'erased') {
      const result = createdView(USERS.projection, registration, { bodyDigest, replayed: true });
      return isRejection(result) ? result : this.opened(result, true);
    }
    // The erasure has removed the account's password hashes. A request that was killed may have stored another hash after that.
    await this.credentials.removePasswordHashes(id);
    return rejected('user_erased');
  }

  private async readRegistration(id: UserId): Promise<AppendedEvent | null> {
    for await (const events of readHistoryPages(this, userStream(id))) {
      const found = events.find((event) => eventOf<UserEvent>(event).type === 'UserRegistered');
      if (found) return found;
    }
    return null;
  }

  private async opened(view: View | null, replayed: boolean): Promise<ResultOf<CreateUser>> {
    const json = view && (await openAccount(this.keys, view.json));
    return view && json !== null ? { ...view, json, replayed } : rejected('user_erased');
  }
}
