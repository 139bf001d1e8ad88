import type { UserEvent, UserProfile } from '../domain/users/user.events.js';
import { aggregateIdOf, type EventMeta } from '../eventsourcing/message.js';
import { projection, type Document } from '../eventsourcing/projection.js';
import type { ExplicitOptional } from './explicit-optional.js';

/** An account as the interface returns it. Personal values are encrypted here and decrypted on read. */
export type User = { readonly id: string } & ExplicitOptional<UserProfile> & { readonly createdAt: string; readonly updatedAt: string };

/** The fields that accounts are listed by. None is personal. */
type UserFields = { readonly tenant: string; readonly createdAt: string };

type UserDocument = Document<User, UserFields>;

/**
 * Lists the members one by one: they keep the documented order, and a new event field is not exposed by
 * accident.
 */
const documentOf = (profile: UserProfile, { stream, tenant, time }: EventMeta, createdAt: string): UserDocument => ({
  body: {
    id: aggregateIdOf(stream),
    username: profile.username,
    firstName: profile.firstName,
    lastName: profile.lastName,
    email: profile.email,
    phone: profile.phone,
    createdAt,
    updatedAt: time,
  },
  fields: { tenant, createdAt },
});

const touched = (current: UserDocument | null, { time }: EventMeta): UserDocument | null =>
  current && { ...current, body: { ...current.body, updatedAt: time } };

/** Every account that is not erased. */
export const usersProjection = projection<UserEvent, User, UserFields>({
  name: 'users',
  version: 1,
  category: 'user',
  fields: { tenant: 'text', createdAt: 'text' },
  indexes: [['tenant', '-createdAt']],
  cells: ['tenant'],
  amount: () => 1,
  on: {
    UserRegistered: (_, profile, meta) => documentOf(profile, meta, meta.time),
    UserRevised: (current, profile, meta) => current && documentOf(profile, meta, current.fields.createdAt),
    UserPasswordChanged: (current, _, meta) => touched(current, meta),
    // Only its revision rises, so that its entity tag stays that of the stream.
    UserClaimsLapsed: (current) => current,
    UserErased: () => null,
  },
});
