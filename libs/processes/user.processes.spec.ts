import { describe, expect, it } from '@jest/globals';
import type { UserId } from '../domain/ids.js';
import { endsTokens, type UserEvent } from '../domain/users/user.events.js';
import { processSpecification } from '../eventsourcing/testing/process-specification.js';
import { userChangeEndsTokens, userErasureForgetsPerson } from './user.processes.js';

describe('user-erasure-forgets-person', () => {
  const process = processSpecification(userErasureForgetsPerson);
  const names = { usernameDigest: 'a', emailDigest: 'b' };

  describe('the process of an erased account', () => {
    it('forgets its person', () =>
      process
        .given({ type: 'UserErased', data: names, meta: { stream: 'user-0190-1' } })
        .expect({ type: 'ForgetPerson', data: { userId: '0190-1' as UserId, names } }));
  });
});

describe('user-change-ends-tokens', () => {
  const process = processSpecification(userChangeEndsTokens);
  const at = { stream: 'user-0190-1', revision: 4 };
  const ended = { type: 'EndAccountTokens', data: { userId: '0190-1' as UserId, before: 4 } } as const;

  describe('the process that ends tokens', () => {
    it('ends the tokens of earlier sign-ins after a new password', () =>
      process.given({ type: 'UserPasswordChanged', data: { credentialId: 'c' }, meta: at }).expect(ended));
    it('ends the tokens of earlier sign-ins when the account is no longer staff, is disabled or is erased', () => {
      process.given({ type: 'UserStaffRevoked', data: {}, meta: at }).expect(ended);
      process.given({ type: 'UserDisabled', data: {}, meta: at }).expect(ended);
      process.given({ type: 'UserErased', data: { usernameDigest: 'a', emailDigest: 'b' }, meta: at }).expect(ended);
    });
    it('reacts to the same events as the token check of a request', () => {
      const types = Object.keys(userChangeEndsTokens.on) as UserEvent['type'][];
      expect(types.every(endsTokens)).toBe(true);
      expect(types).toHaveLength(4);
    });
  });
});
