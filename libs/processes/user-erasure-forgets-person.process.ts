import type { UserId } from '../domain/ids.js';
import type { UserEvent } from '../domain/users/user.events.js';
import { aggregateIdOf } from '../eventsourcing/message.js';
import type { Process } from '../eventsourcing/process.js';
import type { ProcessCommand } from './process-command.js';

/**
 * Destroys the key of every erased account. Usually the HTTP request has already done so; after a crash it
 * has not (contract 24.2).
 */
export const userErasureForgetsPerson: Process<UserEvent, ProcessCommand> = {
  name: 'user-erasure-forgets-person',
  on: {
    UserErased: ({ data: names, meta }) => [{ type: 'ForgetPerson', data: { userId: aggregateIdOf(meta.stream) as UserId, names } }],
  },
};
