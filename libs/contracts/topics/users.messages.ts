import type { UserEvent } from '../../domain/users/user.events.js';
import { messageContract, messageSpec } from '../message-contract.js';
import { id, object } from '../message-schema.js';

/**
 * The public messages of accounts: only that a person was erased, so that consumers can delete what they derived
 * (contract 22.5). When an account is created or changed is not published either.
 */
export const userMessages = messageContract<UserEvent>('user', 'users', {
  UserRegistered: 'unpublished',
  UserRevised: 'unpublished',
  UserPasswordChanged: 'unpublished',
  UserClaimsLapsed: 'unpublished',
  UserErased: messageSpec(
    'An account was erased. Delete what you derived from it.',
    object({ userId: id('The account', '01a0e5b0-0000-7000-8000-000000000004') }),
    (_, userId) => ({ userId }),
  ),
});
