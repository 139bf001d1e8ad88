import type { UserId } from '../domain/ids.js';
import type { UserEvent } from '../domain/users/user.events.js';
import { aggregateIdOf } from '../eventsourcing/message.js';
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
