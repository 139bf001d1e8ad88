import type { Message } from '../../eventsourcing/message.js';
import type { Personal } from '../../eventsourcing/sealed.js';

/** The profile of an account: personal data, encrypted with a key of this one person. */
export type UserProfile = {
  readonly username: Personal;
  readonly email: Personal;
  readonly firstName?: Personal;
  readonly lastName?: Personal;
  readonly phone?: Personal;
};

/**
 * The keyed digests of the username and the email address. Equal names of one tenant have equal digests, and
 * a digest does not reveal its name.
 */
export type UserNames = { readonly usernameDigest: string; readonly emailDigest: string };

/** Passwords and their hashes are in no event (contract 30.3). */
export type UserEvent =
  | Message<'UserRegistered', UserProfile & UserNames>
  /** Carries the whole profile, also the values that did not change. */
  | Message<'UserRevised', UserProfile & UserNames>
  | Message<'UserPasswordChanged', Readonly<Record<string, never>>>
  /**
   * Another account may now claim the names that an interrupted registration or change had claimed. Appending
   * this event makes the append of that request fail, in case it is still running.
   */
  | Message<'UserClaimsLapsed', Readonly<Record<string, never>>>
  /** The person's key is destroyed after this event. */
  | Message<'UserErased', UserNames>;

/** The paths of the personal values in the data of events with a profile. */
export const PERSONAL_IN_PROFILE = ['username', 'email', 'firstName', 'lastName', 'phone'] as const;
