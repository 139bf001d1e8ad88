import type { UserId } from '../domain/ids.js';
import type { UserEvent } from '../domain/users/user.events.js';
import { aggregateIdOf, type RecordedEvent } from '../eventsourcing/message.js';
import type { Process } from '../eventsourcing/process.js';
import type { ProcessCommand } from './process-command.js';

/**
 * Destroys the key and the password hash of an erased account, and frees its names (contract 30.6). Usually the HTTP request
 * has already done this, and the command has no effect. If a crash interrupted the request, the command completes it.
 */
export const userErasureForgetsPerson: Process<UserEvent, ProcessCommand> = {
  name: 'user-erasure-forgets-person',
  on: {
    UserErased: ({ data: names, meta }) => [{ type: 'ForgetPerson', data: { userId: aggregateIdOf(meta.stream) as UserId, names } }],
  },
};

const endTokens = ({ meta: { stream, revision } }: Pick<RecordedEvent, 'meta'>): readonly ProcessCommand[] => [
  { type: 'EndAccountTokens', data: { userId: aggregateIdOf(stream) as UserId, before: revision } },
];

/**
 * Ends the tokens of an account after a new password, a revoked role, a disabling or an erasure (contract 30.10). The
 * tokens of later sign-ins stay valid. Usually the HTTP request has already ended the tokens, and the command has no effect.
 * If a crash interrupted the request, the command completes it.
 */
export const userChangeEndsTokens: Process<UserEvent, ProcessCommand> = {
  name: 'user-change-ends-tokens',
  on: { UserPasswordChanged: endTokens, UserStaffRevoked: endTokens, UserDisabled: endTokens, UserErased: endTokens },
};
