import { canonicalJson } from '../../eventsourcing/canonical-json.js';
import { rejected, type Decider, type Rejection } from '../../eventsourcing/decider.js';
import { unreachable, type EventMeta } from '../../eventsourcing/message.js';
import type { UserCommand } from './user.commands.js';
import type { UserEvent, UserNames, UserProfile } from './user.events.js';

export type RegisteredUser = {
  readonly kind: 'registered';
  readonly tenant: string;
  readonly profile: UserProfile;
  readonly names: UserNames;
};

/** The tenant is null before the first event. A stream may begin with UserClaimsLapsed. */
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
    case 'RegisterUser': {
      const { profile, names } = command.data;
      return user.kind === 'unregistered' ? [{ type: 'UserRegistered', data: { ...profile, ...names } }] : rejected('user_exists');
    }
    case 'ReviseUser':
      return user.kind === 'registered' ? revise(command.data, user) : rejected('user_not_found');
    case 'LapseUserClaims':
      return user.kind === 'erased' ? [] : [{ type: 'UserClaimsLapsed', data: {} }];
    case 'EraseUser':
      return user.kind === 'registered' ? [{ type: 'UserErased', data: user.names }] : rejected('user_not_found');
    default:
      return unreachable(command);
  }
};

const revise = (
  { profile, names, changesPassword }: Extract<UserCommand, { type: 'ReviseUser' }>['data'],
  user: RegisteredUser,
): Decision => {
  const isEqual = canonicalJson(profile) === canonicalJson(user.profile);
  const events: UserEvent[] = isEqual ? [] : [{ type: 'UserRevised', data: { ...profile, ...names } }];
  return changesPassword ? [...events, { type: 'UserPasswordChanged', data: {} }] : events;
};

const evolve = (user: UserState, event: UserEvent, { tenant }: EventMeta): UserState => {
  switch (event.type) {
    case 'UserRegistered':
    case 'UserRevised': {
      const { usernameDigest, emailDigest, ...profile } = event.data;
      return { kind: 'registered', tenant, profile, names: { usernameDigest, emailDigest } };
    }
    case 'UserErased':
      return { kind: 'erased', tenant };
    case 'UserPasswordChanged':
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
