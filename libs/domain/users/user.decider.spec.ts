import { describe, expect, it } from '@jest/globals';
import { specification } from '../../eventsourcing/testing/specification.js';
import type { UserId } from '../ids.js';
import { userDecider } from './user.decider.js';

const user = specification(userDecider);
const userId = '0190-1' as UserId;
const profile = { username: 'ann', email: 'ann@example.com' };
const names = { usernameDigest: 'a', emailDigest: 'b' };
const registered = { type: 'UserRegistered', data: { ...profile, ...names, credentialId: 'c0' } } as const;
const registeredAgain = { type: 'UserRevised', data: { ...profile, ...names } } as const;
const lapsed = { type: 'UserClaimsLapsed', data: {} } as const;
const passwordChanged = { type: 'UserPasswordChanged', data: { credentialId: 'c1' } } as const;
const staffGranted = { type: 'UserStaffGranted', data: {} } as const;
const disabled = { type: 'UserDisabled', data: {} } as const;
const erased = { type: 'UserErased', data: names } as const;
const register = { type: 'CreateUser', data: { userId, profile, names, isStaff: false, credentialId: 'c0' } } as const;
const erase = { type: 'DeleteUser', data: { userId } } as const;
const lapse = { type: 'LapseUserClaims', data: { userId } } as const;
const revise = (changed: object, credentialId: string | null = null, newNames = names) =>
  ({ type: 'UpdateUser', data: { userId, profile: { ...profile, ...changed }, names: newNames, credentialId } }) as const;

describe('registering an account', () => {
  it('records its profile and the digests of its names', () => user.given().when(register).then(registered));
  it('records the integer id and the status of the classic variant', () => {
    const classic = { number: 7, userStatus: 1 };
    user
      .given()
      .when({ ...register, data: { ...register.data, ...classic } })
      .then({ ...registered, data: { ...registered.data, ...classic } });
  });
  it('is possible after the claims of an interrupted registration have lapsed', () => user.given(lapsed).when(register).then(registered));
  it('is rejected for an existing account', () => user.given(registered).when(register).thenRejected('user_exists'));
  it('is rejected for an erased account', () => user.given(registered, erased).when(register).thenRejected('user_exists'));
});

describe('changing an account', () => {
  it('records the whole profile', () => {
    const changed = { ...profile, phone: '+14155550123' };
    user
      .given(registered)
      .when(revise({ phone: '+14155550123' }))
      .then({ type: 'UserRevised', data: { ...changed, ...names } });
  });
  it('records nothing if nothing changes', () => user.given(registered).when(revise({})).thenNothing());
  it('records that the password changed, without the password', () => user.given(registered).when(revise({}, 'c1')).then(passwordChanged));
  it('records a changed name with its digest', () => {
    const newNames = { ...names, usernameDigest: 'c' };
    user
      .given(registered)
      .when(revise({ username: 'bob' }, null, newNames))
      .then({ type: 'UserRevised', data: { ...profile, username: 'bob', ...newNames } });
  });
  it('is rejected for an account that was never registered, or is erased', () => {
    user.given().when(revise({})).thenRejected('user_not_found');
    user.given(registered, erased).when(revise({})).thenRejected('user_not_found');
  });
});

describe('the status of an account', () => {
  const command = (type: 'GrantStaff' | 'RevokeStaff' | 'DisableUser' | 'EnableUser') => ({ type, data: { userId } }) as const;
  it('is staff after the role is granted, until the role is revoked', () => {
    user.given(registered).when(command('GrantStaff')).then(staffGranted);
    user.given(registered, staffGranted).when(command('RevokeStaff')).then({ type: 'UserStaffRevoked', data: {} });
  });
  it('is staff from the start if the account is registered as staff', () =>
    user
      .given()
      .when({ ...register, data: { ...register.data, isStaff: true } })
      .then(registered, staffGranted));
  it('is disabled until it is enabled again', () => {
    user.given(registered).when(command('DisableUser')).then(disabled);
    user.given(registered, disabled).when(command('EnableUser')).then({ type: 'UserEnabled', data: {} });
  });
  it('changes only once: a repeated command records nothing', () => {
    user.given(registered, staffGranted).when(command('GrantStaff')).thenNothing();
    user.given(registered).when(command('RevokeStaff')).thenNothing();
    user.given(registered, disabled).when(command('DisableUser')).thenNothing();
    user.given(registered).when(command('EnableUser')).thenNothing();
  });
  it('survives a change of the profile', () =>
    expect(user.given(registered, staffGranted, disabled, passwordChanged, registeredAgain).state).toMatchObject({
      isStaff: true,
      isDisabled: true,
      credentialId: 'c1',
    }));
  it('cannot change for an account that is erased', () =>
    user.given(registered, erased).when(command('GrantStaff')).thenRejected('user_not_found'));
});

describe('erasing an account', () => {
  it('is recorded with the digests of its names, so that they can be freed', () => user.given(registered).when(erase).then(erased));
  it('is rejected for an account that was never registered, or is already erased', () => {
    user.given(lapsed).when(erase).thenRejected('user_not_found');
    user.given(registered, erased).when(erase).thenRejected('user_not_found');
  });
  it('leaves no profile in the state', () =>
    expect(user.given(registered, erased).state).toEqual({ kind: 'erased', tenant: expect.any(String) }));
});

describe('lapsing the claims of an account', () => {
  it('is always recorded, because the event makes a concurrent append fail', () => {
    user.given().when(lapse).then(lapsed);
    user.given(registered, lapsed).when(lapse).then(lapsed);
  });
  it('records nothing for an erased account, which can append nothing more', () =>
    user.given(registered, erased).when(lapse).thenNothing());
});
