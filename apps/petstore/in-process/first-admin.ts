import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { CreateUser } from '../../../libs/application/users/user.commands.js';
import { FIRST_STAFF_USERNAME } from '../../../libs/application/users/names/name-digests.js';
import { FindAccount } from '../../../libs/application/users/user.queries.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { SHARED_POOL } from '../../../libs/eventsourcing/message.js';
import type { Log } from '../logging/log.js';
import { createPassword } from '../composition/passwords.js';

/** The email address of the account until an operator changes it. No mail server accepts it (RFC 2606). */
export const FIRST_STAFF_EMAIL = `${FIRST_STAFF_USERNAME}@petstore.invalid`;

/**
 * The context of the command that creates the account, the same in every process. The account id derives from `actor` and
 * `idempotencyKey`. So all processes append to the same stream, and exactly one of them creates the account.
 */
const REQUEST = { tenant: SHARED_POOL, actor: 'service', isOperator: true, requestId: 'first-admin', idempotencyKey: 'first-admin' };

/** How the first staff account gets its password. */
export type FirstAdminOptions = {
  /** The setting ADMIN_PASSWORD. */
  readonly password: string | undefined;
  /** Whether the output goes to a terminal. A random password may be printed only to a terminal. */
  readonly isOnTerminal: boolean;
  /** How a user starts this program on the store. */
  readonly program: string;
};

/**
 * Creates the first staff account if there is none (contract 30.9). Returns its password if the password was generated,
 * otherwise null. The caller prints the password once. With neither ADMIN_PASSWORD nor a terminal, the function creates nothing
 * and logs how to create the account.
 */
export const createFirstAdmin = async (
  app: Pick<INestApplicationContext, 'get'>,
  { password, isOnTerminal, program }: FirstAdminOptions,
  log: Log,
): Promise<string | null> => {
  if (await app.get(QueryBus).execute(new FindAccount({ username: FIRST_STAFF_USERNAME }, SHARED_POOL))) return null;
  const random = password === undefined && isOnTerminal ? createPassword() : null;
  const chosen = password ?? random;
  if (chosen === null) {
    log.info({}, `there is no staff account: run "${program} users create-admin", or set ADMIN_PASSWORD`);
    return null;
  }
  const profile = { username: FIRST_STAFF_USERNAME, email: FIRST_STAFF_EMAIL };
  const outcome = await app
    .get(CommandBus)
    .execute(new CreateUser(profile, chosen, REQUEST, { operation: 'createStaffAccount', isStaff: true }));
  if (isRejection(outcome)) {
    if (outcome.rejected !== 'name_taken') log.warn({ reason: outcome.rejected }, 'the first staff account was not created');
    return null;
  }
  if (!outcome.replayed) log.info({ userId: outcome.id }, `the staff account ${FIRST_STAFF_USERNAME} was created`);
  return outcome.replayed ? null : random;
};
