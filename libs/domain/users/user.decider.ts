import { canonicalJson } from '../../eventsourcing/canonical-json.js';
import { rejected, type Decider, type Rejection } from '../../eventsourcing/decider.js';
import { unreachable, type EventMeta, type Message } from '../../eventsourcing/message.js';
import type { ClassicStatus, UserEvent, UserNames, UserProfile, ClassicNumber } from './user.events.js';
import type { UserId } from '../ids.js';

export type UserCommand =
  | Message<
      'CreateUser',
      {
        readonly userId: UserId;
        readonly profile: UserProfile;
        readonly names: UserNames;
        readonly isStaff: boolean;
        /** The id of the password's hash. */
        readonly credentialId: string;
      } & ClassicStatus &
        ClassicNumber
    >
  /**
   * Replaces the profile. Values that do not change are passed as they are stored: encrypted. `credentialId` is the id
   * of the new password's hash, or null if the password does not change.
   */
  | Message<
      'UpdateUser',
      {
        readonly userId: UserId;
        readonly profile: UserProfile;
        readonly names: UserNames;
        readonly credentialId: string | null;
      } & ClassicStatus
    >
  /** Lets other accounts claim the names that a request for this account claimed but did not use. */
  | Message<'LapseUserClaims', { readonly userId: UserId }>
  | Message<'GrantStaff' | 'RevokeStaff' | 'DisableUser' | 'EnableUser', { readonly userId: UserId }>
  | Message<'DeleteUser', { readonly userId: UserId }>;

/** Destroys the key and the password's hash of an erased account, and frees its names. */
export type ForgetPerson = Message<'ForgetPerson', { readonly userId: UserId; readonly names: UserNames }>;

/**
 * Ends the tokens of all sign-ins to an account that happened before the event with the revision `before` in the account's
 * stream (contract 30.10).
 */
export type EndAccountTokens = Message<'EndAccountTokens', { readonly userId: UserId; readonly before: number }>;

export type RegisteredUser = {
  readonly kind: 'registered';
  readonly tenant: string;
  readonly profile: UserProfile;
  readonly names: UserNames;
  readonly isStaff: boolean;
  readonly isDisabled: boolean;
  /** The id of the password's hash. Null means the hash of the registration, which has no id. */
  readonly credentialId: string | null;
} & ClassicStatus;

/** The tenant is null before the first event. An unregistered account has a tenant if UserClaimsLapsed was recorded for it. */
export type UserState =
  { readonly kind: 'unregistered'; readonly tenant: string | null } | RegisteredUser | { readonly kind: 'erased'; readonly tenant: string };

export type UserRejection =
  /** The id is in use, or was in use by an erased account. */
  | 'user_exists'
  /** Never registered, or erased. */
  | 'user_not_found';

type Decision = readonly UserEvent[] | Rejection<UserRejection>;

const decide = (command: UserCommand, user: UserState): Decision => {
  switch (command.type) {
    case 'CreateUser': {
      const { profile, names, isStaff, credentialId, userStatus, number } = command.data;
      if (user.kind !== 'unregistered') return rejected('user_exists');
      const registered = {
        type: 'UserRegistered',
        data: {
          ...profile,
          ...names,
          credentialId,
          ...(userStatus !== undefined && { userStatus }),
          ...(number !== undefined && { number }),
        },
      } as const;
      return isStaff ? [registered, { type: 'UserStaffGranted', data: {} }] : [registered];
    }
    case 'UpdateUser':
      return user.kind === 'registered' ? update(command.data, user) : rejected('user_not_found');
    case 'GrantStaff':
    case 'RevokeStaff':
    case 'DisableUser':
    case 'EnableUser':
      return user.kind === 'registered' ? switchStatus(command.type, user) : rejected('user_not_found');
    case 'LapseUserClaims':
      return user.kind === 'erased' ? [] : [{ type: 'UserClaimsLapsed', data: {} }];
    case 'DeleteUser':
      return user.kind === 'registered' ? [{ type: 'UserErased', data: user.names }] : rejected('user_not_found');
    default:
      return unreachable(command);
  }
};

/** For each command that switches a status: the event, the status and its new value. A repeated command records nothing. */
const SWITCHES = {
  GrantStaff: { event: 'UserStaffGranted', status: 'isStaff', value: true },
  RevokeStaff: { event: 'UserStaffRevoked', status: 'isStaff', value: false },
  DisableUser: { event: 'UserDisabled', status: 'isDisabled', value: true },
  EnableUser: { event: 'UserEnabled', status: 'isDisabled', value: false },
} as const;

const switchStatus = (command: keyof typeof SWITCHES, user: RegisteredUser): Decision => {
  const { event, status, value } = SWITCHES[command];
  return user[status] === value ? [] : [{ type: event, data: {} }];
};

const update = (
  { profile, names, credentialId, userStatus }: Extract<UserCommand, { type: 'UpdateUser' }>['data'],
  user: RegisteredUser,
): Decision => {
  const isStatusChanged = userStatus !== undefined && userStatus !== user.userStatus;
  // The digests of equal names differ after an update of the service that compares names in another form (contract 30.2).
  const isEqual = canonicalJson([profile, names]) === canonicalJson([user.profile, user.names]) && !isStatusChanged;
  const data = { ...profile, ...names, ...(isStatusChanged && { userStatus }) };
  const events: UserEvent[] = isEqual ? [] : [{ type: 'UserRevised', data }];
  return credentialId === null ? events : [...events, { type: 'UserPasswordChanged', data: { credentialId } }];
};

const evolve = (user: UserState, event: UserEvent, { tenant }: EventMeta): UserState => {
  switch (event.type) {
    case 'UserRegistered':
    case 'UserRevised': {
      const added = { credentialId: undefined, number: undefined };
      const { usernameDigest, emailDigest, userStatus, credentialId = null, number: _, ...profile } = { ...added, ...event.data };
      const status = user.kind === 'registered' ? user : { isStaff: false, isDisabled: false, credentialId };
      const names = { usernameDigest, emailDigest };
      return { ...status, kind: 'registered', tenant, profile, names, ...(userStatus !== undefined && { userStatus }) };
    }
    case 'UserPasswordChanged':
      return user.kind === 'registered' ? { ...user, credentialId: event.data.credentialId } : user;
    case 'UserStaffGranted':
    case 'UserStaffRevoked':
      return user.kind === 'registered' ? { ...user, isStaff: event.type === 'UserStaffGranted' } : user;
    case 'UserDisabled':
    case 'UserEnabled':
      return user.kind === 'registered' ? { ...user, isDisabled: event.type === 'UserDisabled' } : user;
    case 'UserErased':
      return { kind: 'erased', tenant };
    case 'UserClaimsLapsed':
      return { ...user, tenant };
    default:
      return unreachable(event);
  }
};

/** Decides what can happen to an account, from registration to erasure. */
export const userDecider: Decider<UserState, UserCommand, UserEvent, UserRejection> = {
  initial: { kind: 'unregistered', tenant: null },
  decide,
  evolve,
};
