import { userStream, type UserId } from '../../domain/ids.js';
import type { RegisteredUser, UserRejection, UserState } from '../../domain/users/user.decider.js';
import type { UserEvent, UserProfile } from '../../domain/users/user.events.js';
import { isRejection, rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { AppendedEvent } from '../../eventsourcing/event-codec.js';
import type { Aggregates } from '../../eventsourcing/aggregates.js';
import { MAX_ATTEMPTS } from '../../eventsourcing/handle.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { CommandResult, LoadedStream } from '../../eventsourcing/streams/aggregate.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { readHistoryPages } from '../../runtime/codec/verified-history.js';
import { USERS } from '../aggregates.js';
import type { Ports } from '../command-ports.js';
import { create } from '../creation.js';
import { handleWithPrecondition, isStillAt, preconditionOf } from '../precondition.js';
import {
  commandContext,
  RequestCommand,
  type CommandRejection,
  type CreationResult,
  type RequestContext,
  type ResultOf,
  type View,
} from '../request.js';
import { endTokensAfter } from '../sessions/end-tokens.js';
import { viewAfter } from '../views.js';
import { Credentials } from './credentials.js';
import { eraseAccount } from './erase-account.js';
import { leaveStaff } from './last-staff.js';
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
export class CreateUser extends RequestCommand<
  'CreateUser',
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

export const createUser = (
  ports: Ports<'aggregates' | 'identities' | 'documents' | 'passwords' | 'keys' | 'store' | 'codec' | 'clock' | 'numbers'>,
  { profile, password, request, options }: CreateUser,
): Promise<ResultOf<CreateUser>> => {
  const { operation = 'createUser', isStaff = false, userStatus } = options;
  const credentials = new Credentials(ports.documents);
  const claims = new NameClaims(ports);
  return create(ports, {
    operation,
    request,
    // The digest of the first staff account's request is that of earlier versions: each start repeats that request.
    digested: { ...profile, ...(operation === 'createAccount' && { isStaff }), ...(userStatus !== undefined && { userStatus }) },
    aggregate: USERS,
    exists: 'user_exists',
    missing: 'user_not_found',
    find: (id: UserId) => readRegistration(ports, id),
    append: async ({ id }, context) => {
      const digests = await createNameDigests(ports.keys);
      const names = digests.of(request.tenant, profile);
      const taken = await claims.taken(id, names, null, digests.isReserved(request, names));
      if (taken.length > 0) return rejected('name_taken', taken);
      const passwordHash = await ports.passwords.hash(password);
      const number = await ports.numbers.next(request.tenant);
      if (typeof number !== 'number') return number;
      const data = { userId: id, profile, names, isStaff, number, ...(userStatus !== undefined && { userStatus }) };
      const outcome = await new Registration({ ...ports, claims, credentials }).register(data, passwordHash, context);
      if (isRejection(outcome)) return outcome;
      const view = viewAfter(USERS, id, outcome);
      return { first: outcome.events[0], ...(view && { view }) };
    },
    checkReplay: async (id) => {
      const { state } = await ports.aggregates.load(USERS, id);
      if (state.kind !== 'erased') return null;
      // The erasure has removed the account's password hashes. A request that was killed may have stored another hash after that.
      await credentials.removePasswordHashes(id);
      return rejected('user_erased');
    },
    answer: async (view) => {
      const json = await openAccount(ports.keys, view.json);
      return json === null ? rejected('user_erased') : { ...view, json };
    },
  });
};

const readRegistration = async (ports: Ports<'store' | 'codec'>, id: UserId): Promise<AppendedEvent | null> => {
  for await (const events of readHistoryPages(ports, userStream(id))) {
    const found = events.find((event) => eventOf<UserEvent>(event).type === 'UserRegistered');
    if (found) return found;
  }
  return null;
};

/** Values of a profile to change. Null removes a value. */
export type ProfileChanges = Partial<Pick<PlainProfile, 'username' | 'email'>> & {
  readonly [Field in 'firstName' | 'lastName' | 'phone']?: string | null;
};

/** Changes the given fields of an account. Absent fields do not change. */
export class UpdateUser extends RequestCommand<'UpdateUser', View | CommandRejection<UserRejection | 'name_taken'>> {
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

type UpdatePorts = Ports<'aggregates' | 'documents' | 'passwords' | 'keys' | 'clock' | 'identities' | 'revocations'>;

export const updateUser = async (ports: UpdatePorts, command: UpdateUser): Promise<ResultOf<UpdateUser>> => {
  const { id, request } = command;
  let credentialId: string | null = null;
  let outcome: UpdateResult = rejected('contended');
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const loaded = await loadRegistered(ports.aggregates, id, request.tenant);
    const obstacle = obstacleTo(request, loaded);
    outcome = obstacle ?? outcome;
    if (obstacle || !loaded) break;
    // Only the first attempt hashes. A hash in each attempt would let concurrent changes of one account occupy the hasher.
    credentialId ??= await storePassword(ports, command);
    outcome = await appendUpdate(ports, command, loaded, credentialId);
    if (!isRejection(outcome) || outcome.rejected !== 'precondition_failed') break;
    // Another request has changed the account since it was loaded.
    outcome = rejected('contended');
  }
  if (!isRejection(outcome)) return (await accountView(ports.keys, id, outcome)) ?? rejected('user_not_found');
  if (credentialId !== null) await new Credentials(ports.documents).removePasswordHash(id, credentialId);
  return outcome;
};

type Registered = LoadedStream<RegisteredUser>;

/** Loads an account. Null if it does not exist in the tenant or is erased. */
const loadRegistered = async (aggregates: Aggregates, id: string, tenant: string): Promise<Registered | null> => {
  const { state, ...rest } = await aggregates.load(USERS, id);
  return state.kind === 'registered' && state.tenant === tenant ? { state, ...rest } : null;
};

/** Returns why the request cannot change the account, or null. */
const obstacleTo = (request: RequestContext, loaded: Registered | null): UpdateRejection | null => {
  if (!loaded) return rejected('user_not_found');
  const { precondition } = preconditionOf<RegisteredUser>(request, USERS);
  return precondition?.(loaded) === false ? rejected('precondition_failed') : null;
};

/**
 * Stores the hash of a new password under a new id. The old password works until an event of the account names that id.
 * Returns the id, or null if the password does not change.
 */
const storePassword = async (ports: UpdatePorts, { id, password, request }: UpdateUser): Promise<string | null> => {
  if (password === undefined) return null;
  const passwordHash = await ports.passwords.hash(password);
  const { tenant, actor, requestId } = request;
  const credentialId = ports.identities.of<string>('changePassword', { tenant, actor, requestId }, null).id;
  await new Credentials(ports.documents).storePasswordHash(id, credentialId, passwordHash);
  return credentialId;
};

const appendUpdate = async (
  ports: UpdatePorts,
  { id, changes, request, userStatus }: UpdateUser,
  loaded: Registered,
  credentialId: string | null,
): Promise<UpdateResult> => {
  const { aggregates, documents, keys } = ports;
  const claims = new NameClaims(ports);
  const userId = id as UserId;
  const json = await openAccount(keys, JSON.stringify(loaded.state.profile));
  if (json === null) return rejected('user_not_found');
  const plain = JSON.parse(json) as PlainProfile;
  const digests = await createNameDigests(keys);
  const names = digests.of(request.tenant, { ...plain, ...changes });
  const context = commandContext(request);
  const held = await claims.held(loaded.state.names, names);
  const claimed = await claims.claim(userId, names, loaded.state.names, context, digests.isReserved(request, names));
  if (isRejection(claimed)) return claimed;
  const data = {
    userId,
    profile: revised(loaded.state.profile, plain, changes),
    names,
    credentialId,
    ...(userStatus !== undefined && { userStatus }),
  };
  const options = { loaded, precondition: isStillAt(loaded) };
  const outcome = await aggregates.handle(USERS, id, { type: 'UpdateUser', data }, context, options);
  if (isRejection(outcome)) {
    await claims.free(userId, claimed, context);
    return outcome;
  }
  await endTokensAfter(ports, userId, outcome.events);
  // Removes only the replaced hash. A concurrent request may have stored another hash, and may not have appended its event yet.
  if (credentialId !== null) await new Credentials(documents).removePasswordHash(userId, loaded.state.credentialId);
  await claims.free(userId, held, context);
  return outcome;
};

const accountView = async (keys: KeyVault, id: string, changed: CommandResult<UserState, UserEvent>): Promise<View | null> => {
  const view = viewAfter(USERS, id, changed);
  const json = view && (await openAccount(keys, view.json));
  return view && json !== null ? { ...view, json } : null;
};

type UpdateRejection = Rejection<UserRejection | 'name_taken' | 'contended' | 'precondition_failed'>;
type UpdateResult = CommandResult<UserState, UserEvent> | UpdateRejection;

/** Returns the stored profile with the changed values. Values that do not change stay encrypted as they are stored. */
const revised = (stored: UserProfile, plain: PlainProfile, changes: ProfileChanges): UserProfile => {
  const changed = Object.entries(changes).filter(([field, value]) => plain[field as keyof PlainProfile] !== value);
  const values = Object.entries({ ...stored, ...Object.fromEntries(changed) });
  return Object.fromEntries(values.filter(([, value]) => value !== null)) as UserProfile;
};

/** Erases an account. Returns null on success. */
export class DeleteUser extends RequestCommand<'DeleteUser', null | CommandRejection<UserRejection | 'last_staff'>> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

export type DeletingPorts = Ports<'aggregates' | 'keys' | 'documents' | 'clock' | 'revocations'>;

export const deleteUser = (ports: DeletingPorts, { id, request }: DeleteUser): Promise<ResultOf<DeleteUser>> =>
  eraseAccount(ports, id as UserId, (command) => handleWithPrecondition(ports.aggregates, USERS, id, command, request));

/** Whether each change takes the role or the use of an account away. */
const TAKES = { GrantStaff: false, RevokeStaff: true, DisableUser: true, EnableUser: false } as const;

/** The commands that change the role or the status of an account (contract 30.8). */
export type StatusSwitch = keyof typeof TAKES;

/** Changes the role or the status of an account. A repeated change has no effect. Returns null on success. */
export class ChangeAccountStatus extends RequestCommand<'ChangeAccountStatus', null | CommandRejection<UserRejection | 'last_staff'>> {
  constructor(
    readonly id: string,
    readonly change: StatusSwitch,
    readonly request: RequestContext,
  ) {
    super();
  }
}

export const changeAccountStatus = async (
  ports: Ports<'aggregates' | 'documents' | 'clock' | 'revocations'>,
  { id, change, request }: ChangeAccountStatus,
): Promise<ResultOf<ChangeAccountStatus>> => {
  const userId = id as UserId;
  const append = () => ports.aggregates.handle(USERS, id, { type: change, data: { userId } }, commandContext(request));
  const outcome = TAKES[change] ? await leaveStaff(ports, userId, append) : await append();
  if (isRejection(outcome)) return outcome;
  await endTokensAfter(ports, userId, outcome.events);
  return null;
};
