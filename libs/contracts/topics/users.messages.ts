import type { UserEvent } from '../../domain/users/user.events.js';
import { messageContract, messageSpec } from '../message-contract.js';
import { id, object } from '../message-schema.js';

/**
 * The public messages of accounts. Only the erasure of an account is published, so that consumers can delete what they derived
 * from the account (contract 22.5).
 */
export const userMessages = messageContract<UserEvent>('user', 'users', {
  UserRegistered: 'unpublished',
  UserRevised: 'unpublished',
  UserPasswordChanged: 'unpublished',
  UserStaffGranted: 'unpublished',
  UserStaffRevoked: 'unpublished',
  UserDisabled: 'unpublished',
  UserEnabled: 'unpublished',
  UserClaimsLapsed: 'unpublished',
  UserErased: messageSpec(
    'An account was erased. Delete what you derived from it.',
    object({ userId: id('The account', '01a0e5b0-0000-7000-8000-000000000004') }),
    (_, userId) => ({ userId }),
  ),
});
