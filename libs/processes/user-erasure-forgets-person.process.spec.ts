import { describe, it } from '@jest/globals';
import type { UserId } from '../domain/ids.js';
import { processSpecification } from '../eventsourcing/testing/process-specification.js';
import { userErasureForgetsPerson } from './user-erasure-forgets-person.process.js';

const process = processSpecification(userErasureForgetsPerson);
const names = { usernameDigest: 'a', emailDigest: 'b' };

describe('the process of an erased account', () => {
  it('forgets its person', () =>
    process
      .given({ type: 'UserErased', data: names, meta: { stream: 'user-0190-1' } })
      .expect({ type: 'ForgetPerson', data: { userId: '0190-1' as UserId, names } }));
});
