import { describe, expect, it } from '@jest/globals';
import type { UserEvent } from '../domain/users/user.events.js';
import { foldProjection } from '../eventsourcing/testing/fold-projection.js';
import type { GivenEvent } from '../eventsourcing/testing/recorded.js';
import { usersProjection } from './users.projection.js';

const at = (second: number) => ({ time: `2026-01-02T03:04:0${second}.000Z` });
const names = { usernameDigest: 'digest-canary', emailDigest: 'digest-canary' };
const profile = { username: 'ann', email: 'ann@example.com', lastName: 'Lee' };

const registered = { type: 'UserRegistered', data: { ...profile, ...names, credentialId: 'c0', number: 7 }, meta: at(1) } as const;
const revised = { type: 'UserRevised', data: { ...profile, ...names, phone: '+14155550123' }, meta: at(2) } as const;
const passwordChanged = { type: 'UserPasswordChanged', data: { credentialId: 'c' }, meta: at(3) } as const;
const lapsed = { type: 'UserClaimsLapsed', data: {}, meta: at(4) } as const;
const erased = { type: 'UserErased', data: names, meta: at(5) } as const;

const fold = (...events: GivenEvent<UserEvent>[]) => foldProjection(usersProjection, events);
const json = (...events: GivenEvent<UserEvent>[]) => JSON.stringify(fold(...events)?.body);

describe('a registered account', () => {
  it('has its profile in the documented order, without digests', () =>
    expect(json(registered)).toBe(
      '{"id":"1","username":"ann","lastName":"Lee","email":"ann@example.com",' +
        '"createdAt":"2026-01-02T03:04:01.000Z","updatedAt":"2026-01-02T03:04:01.000Z"}',
    ));
  it('has only its tenant, its time, its status and its number as fields', () =>
    expect(fold({ ...registered, meta: { ...registered.meta, tenant: 'acme' } })?.fields).toEqual({
      tenant: 'acme',
      createdAt: '2026-01-02T03:04:01.000Z',
      isStaff: 0,
      isDisabled: 0,
      userStatus: null,
      number: 7,
    }));
  it('has a number from its id if an earlier version of the service registered it', () => {
    const { number: _, ...data } = registered.data;
    expect(fold({ ...registered, data })?.fields.number).toBeGreaterThanOrEqual(2 ** 52);
  });
  it('has the user status of the classic variant, which its JSON does not show', () => {
    const withStatus = { ...registered, data: { ...registered.data, userStatus: 3 } };
    expect([fold(withStatus)?.fields.userStatus, fold(withStatus, revised)?.fields.userStatus]).toEqual([3, 3]);
    expect(json(withStatus)).toBe(json(registered));
  });
});

describe('an account', () => {
  it('keeps its number', () => expect(fold(registered, revised, passwordChanged)?.fields.number).toBe(7));
  it('has the revised profile and the time of the revision', () =>
    expect(fold(registered, revised)?.body).toMatchObject({ phone: '+14155550123', createdAt: at(1).time, updatedAt: at(2).time }));
  it('has the time of a new password', () => expect(fold(registered, passwordChanged)?.body.updatedAt).toBe(at(3).time));
  it('does not change when claims lapse, and neither does its entity tag', () => {
    expect(fold(registered, lapsed)).toEqual(fold(registered));
    expect(usersProjection.on.UserClaimsLapsed).toBe('ignore');
  });
  it('does not exist before its registration', () => expect(fold(lapsed)).toBeNull());
  it('does not exist after its erasure', () => expect(fold(registered, revised, erased)).toBeNull());
});
