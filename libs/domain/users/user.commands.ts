import type { Message } from '../../eventsourcing/message.js';
import type { UserId } from '../ids.js';
import type { ClassicNumber, ClassicStatus, UserNames, UserProfile } from './user.events.js';

export type UserCommand =
  | Message<
      'RegisterUser',
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
      'ReviseUser',
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
  | Message<'EraseUser', { readonly userId: UserId }>;

/** Destroys the key and the password's hash of an erased account, and frees its names. */
export type ForgetPerson = Message<'ForgetPerson', { readonly userId: UserId; readonly names: UserNames }>;

/**
 * Ends the tokens of all sign-ins to an account that happened before the event with the revision `before` in the account's
 * stream (contract 30.10).
 */
export type EndAccountTokens = Message<'EndAccountTokens', { readonly userId: UserId; readonly before: number }>;
