import type { QueryBus } from '@nestjs/cqrs';
import type { CheckPassword, PasswordCheck } from '../../../libs/application/sessions/sign-in.query.js';
import { after, machineTime } from '../http/machine-time.js';

/** Milliseconds. Several times what a check takes, so that nearly all wrong pairs are rejected after one step. */
export const STEP = 100;

/**
 * Checks a password. A wrong pair is rejected at a full step after the start, because reading the events of an account takes
 * some tenths of a millisecond. Without the step, many guesses would show which names exist (contract 30.7).
 */
export const checkPassword = async (queries: Pick<QueryBus, 'execute'>, check: CheckPassword): Promise<PasswordCheck> => {
  const start = machineTime();
  const result = await queries.execute(check);
  if (result.kind === 'wrong') await new Promise<void>((resolve) => after(STEP - ((machineTime() - start) % STEP), resolve));
  return result;
};
