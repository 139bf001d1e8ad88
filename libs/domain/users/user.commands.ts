import type { Message } from '../../eventsourcing/message.js';
import type { UserId } from '../ids.js';
import type { UserNames, UserProfile } from './user.events.js';

export type UserCommand =
  | Message<'RegisterUser', { readonly userId: UserId; readonly profile: UserProfile; readonly names: UserNames }>
  /** Replaces the profile. Values that do not change are passed as they are stored: encrypted. */
  | Message<
      'ReviseUser',
      { readonly userId: UserId; readonly profile: UserProfile; readonly names: UserNames; readonly changesPassword: boolean }
    >
  /** Lets other accounts claim the names that a request for this account claimed but did not use. */
  | Message<'LapseUserClaims', { readonly userId: UserId }>
  | Message<'EraseUser', { readonly userId: UserId }>;

/** Destroys the key and the password's hash of an erased account, and frees its names. */
export type ForgetPerson = Message<'ForgetPerson', { readonly userId: UserId; readonly names: UserNames }>;
