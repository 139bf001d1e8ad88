import { numberFromId } from '../domain/number-from-id.js';
import type { UserEvent, UserProfile } from '../domain/users/user.events.js';
import { aggregateIdOf, type EventMeta } from '../eventsourcing/message.js';
import { projection, type Document } from '../eventsourcing/projection.js';
import type { ExplicitOptional } from './explicit-optional.js';

/** An account as the interface returns it. Personal values are encrypted in the read model and decrypted when they are read. */
export type User = { readonly id: string } & ExplicitOptional<UserProfile> & { readonly createdAt: string; readonly updatedAt: string };

/**
 * The fields by which accounts are listed, and fields that the body does not contain. They contain no personal data. Only
 * operators see `isStaff` and `isDisabled`, which are 0 or 1.
 */
export type UserFields = {
  readonly tenant: string;
  readonly createdAt: string;
  readonly isStaff: number;
  readonly isDisabled: number;
  /** An integer that only the classic variant stores and shows (contract 39.7). Null if no request has set it. */
  readonly userStatus: number | null;
  /** The integer id of the user in the classic variant (contract 39.3). */
  readonly number: number;
};

type UserDocument = Document<User, UserFields>;

/**
 * Names each member instead of copying the event. So the members keep the documented order, and a new event field is not
 * exposed by accident.
 */
const documentOf = (profile: UserProfile, { stream, time }: EventMeta, fields: UserFields): UserDocument => ({
  body: {
    id: aggregateIdOf(stream),
    username: profile.username,
    firstName: profile.firstName,
    lastName: profile.lastName,
    email: profile.email,
    phone: profile.phone,
    createdAt: fields.createdAt,
    updatedAt: time,
  },
  fields,
});

/** Returns the document with a new `updatedAt`, and with the changed status. */
const touched = (current: UserDocument | null, { time }: EventMeta, status: Partial<UserFields> = {}): UserDocument | null =>
  current && { body: { ...current.body, updatedAt: time }, fields: { ...current.fields, ...status } };

/** Every account that is not erased. */
export const usersProjection = projection<UserEvent, User, UserFields>({
  name: 'users',
  version: 5,
  category: 'user',
  fields: { tenant: 'text', createdAt: 'text', isStaff: 'integer', isDisabled: 'integer', userStatus: 'integer', number: 'integer' },
  // The first lists accounts, newest first. The second finds an account by its number.
  indexes: [
    ['tenant', '-createdAt'],
    ['tenant', 'number'],
  ],
  cells: ['tenant'],
  amount: () => 1,
  on: {
    UserRegistered: (_, { userStatus = null, number, ...profile }, meta) =>
      documentOf(profile, meta, {
        tenant: meta.tenant,
        createdAt: meta.time,
        isStaff: 0,
        isDisabled: 0,
        userStatus,
        number: number ?? numberFromId(aggregateIdOf(meta.stream)),
      }),
    UserRevised: (current, { userStatus, ...profile }, meta) =>
      current && documentOf(profile, meta, { ...current.fields, ...(userStatus !== undefined && { userStatus }) }),
    UserPasswordChanged: (current, _, meta) => touched(current, meta),
    UserStaffGranted: (current, _, meta) => touched(current, meta, { isStaff: 1 }),
    UserStaffRevoked: (current, _, meta) => touched(current, meta, { isStaff: 0 }),
    UserDisabled: (current, _, meta) => touched(current, meta, { isDisabled: 1 }),
    UserEnabled: (current, _, meta) => touched(current, meta, { isDisabled: 0 }),
    // The entity tag must not change, because a lapse changes nothing that a client sees.
    UserClaimsLapsed: 'ignore',
    UserErased: () => null,
  },
});
