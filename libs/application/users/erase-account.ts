import type { UserId } from '../../domain/ids.js';
import type { UserCommand, UserState } from '../../domain/users/user.decider.js';
import type { UserEvent } from '../../domain/users/user.events.js';
import { isRejection, type Rejection } from '../../eventsourcing/decider.js';
import { commandContextOf } from '../../eventsourcing/message.js';
import type { CommandResult } from '../../eventsourcing/streams/aggregate.js';
import { endTokensAfter, type EndingPorts } from '../sessions/end-tokens.js';
import { forgetPerson, type ForgettingPorts } from './forget-person.js';
import { leaveStaff } from './last-staff.js';

/** The ports of `eraseAccount`. */
export type ErasingPorts = ForgettingPorts & EndingPorts;

/**
 * Erases an account: destroys its key, ends its tokens and frees its names. `handle` appends the erasure. Returns null, or the
 * rejection of `handle`, or `last_staff` (contract 30.8).
 */
export const eraseAccount = async <R extends string>(
  ports: ErasingPorts,
  userId: UserId,
  handle: (command: Extract<UserCommand, { type: 'DeleteUser' }>) => Promise<CommandResult<UserState, UserEvent> | Rejection<R>>,
): Promise<null | Rejection<R | 'last_staff'>> => {
  const outcome = await leaveStaff(ports, userId, () => handle({ type: 'DeleteUser', data: { userId } }));
  if (isRejection(outcome)) return outcome;
  await endTokensAfter(ports, userId, outcome.events);
  const [erased] = outcome.events;
  if (erased?.type === 'UserErased') await forgetPerson(ports, { userId, names: erased.data }, commandContextOf(erased));
  return null;
};
