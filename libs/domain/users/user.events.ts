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

/** A number without effect. The classic variant, the API under `/api/v3`, stores and shows the number (contract 39.7). */
export type ClassicStatus = { readonly userStatus?: number };

/** The integer id of the user in the classic variant (contract 39.3). Earlier versions recorded no number. */
export type ClassicNumber = { readonly number?: number };

/**
 * The keyed digests of the username and the email address. Equal names of one tenant have equal digests, and
 * a digest does not reveal its name.
 */
export type UserNames = { readonly usernameDigest: string; readonly emailDigest: string };

type NoData = Readonly<Record<string, never>>;

/** Passwords and their hashes are in no event (contract 30.3). */
export type UserEvent =
  /**
   * `credentialId` is the id of the password's hash. It is null in events of schema version 1: then the hash has no id of its
   * own.
   */
  | Message<'UserRegistered', UserProfile & UserNames & ClassicStatus & ClassicNumber & { readonly credentialId: string | null }>
  /** Contains the whole profile, including unchanged values. If `userStatus` is absent, the stored number is kept. */
  | Message<'UserRevised', UserProfile & UserNames & ClassicStatus>
  /**
   * `credentialId` is the id of the hash of the new password. It is null in events of schema version 1: then the new
   * hash replaced the hash of the registration, which has no id. In both versions, tokens of earlier sign-ins end.
   */
  | Message<'UserPasswordChanged', { readonly credentialId: string | null }>
  /** Tokens of later sign-ins carry the scopes of staff (contract 30.8). */
  | Message<'UserStaffGranted', NoData>
  /** Tokens of earlier sign-ins end. */
  | Message<'UserStaffRevoked', NoData>
  /** Nobody can sign in to the account, and tokens of earlier sign-ins end. */
  | Message<'UserDisabled', NoData>
  | Message<'UserEnabled', NoData>
  /**
   * Another account may now claim the names that an interrupted registration or change had claimed. If that request is
   * still running, this event makes its append conflict.
   */
  | Message<'UserClaimsLapsed', NoData>
  /** After this event, the person's key is destroyed, and the names with these digests are freed. */
  | Message<'UserErased', UserNames>;

const ENDING: ReadonlySet<string> = new Set<UserEvent['type']>(['UserPasswordChanged', 'UserStaffRevoked', 'UserDisabled', 'UserErased']);

/** Returns whether an event of this type ends the tokens of earlier sign-ins (contract 30.10). */
export const endsTokens = (type: string): boolean => ENDING.has(type);

/** The paths of the personal values in the data of events with a profile. */
export const PERSONAL_IN_PROFILE = ['username', 'email', 'firstName', 'lastName', 'phone'] as const;
