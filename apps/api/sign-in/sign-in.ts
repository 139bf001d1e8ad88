import type { CommandBus, QueryBus } from '@nestjs/cqrs';
import { SIGN_IN_LIFETIME } from '../../../libs/application/sessions/revocations.js';
import { StartSession } from '../../../libs/application/sessions/session.commands.js';
import { accountScopes } from '../../../libs/application/users/account-scopes.js';
import { CheckPassword } from '../../../libs/application/sessions/sign-in.query.js';
import { SHARED_POOL } from '../../../libs/eventsourcing/message.js';
import type { TokenSigner } from '../../../libs/ports/access-token.port.js';
import { signInElsewhere, signInFailed, tooManyAttempts, tooManyFailures } from '../http/admission/authorization.js';
import { callerNetwork } from '../http/admission/caller-network.js';
import { addressKey } from '../http/admission/request-counter.js';
import type { OperationRequest } from '../http/call.js';
import { checkPassword } from './check-password.js';
import { isRefused, type FailedAttempts } from './failed-attempts.js';
import type { SignInBody } from './sign-in.dto.js';

type SignInDependencies = {
  readonly commands: CommandBus;
  readonly queries: QueryBus;
  readonly signer: TokenSigner;
  /** The outside issuer at which users sign in (contract 33.1). Null if users sign in to the service itself. */
  readonly outsideIssuer: string | null;
  readonly failedAttempts: FailedAttempts;
};

/** Checks a password, and returns its account. Throws a problem if the sign-in fails (contract 30.7). */
export const checkedAccount = async (
  { queries, outsideIssuer, failedAttempts }: SignInDependencies,
  { username, password }: SignInBody,
  request: OperationRequest,
) => {
  const { tenant } = request.call;
  if (outsideIssuer !== null) throw signInElsewhere(outsideIssuer);
  const attempt = await failedAttempts.begin(addressKey(request));
  if (isRefused(attempt)) throw tooManyFailures(attempt.retrySeconds);
  const check = new CheckPassword(username, password, tenant, callerNetwork(request.ip));
  const account = await checkPassword(queries, check).catch((error: unknown) => {
    attempt.succeeded();
    throw error;
  });
  if (account.kind === 'wrong') attempt.failed();
  else attempt.succeeded();
  if (account.kind === 'too-many-attempts') throw tooManyAttempts(account.retrySeconds);
  if (account.kind === 'wrong') throw signInFailed();
  return account;
};

/**
 * Checks the password, starts a session and returns the token of the session. `expiresAt` is ISO 8601. Throws a problem if
 * the sign-in fails (contract 30.7).
 */
export const signIn = async (
  dependencies: SignInDependencies,
  body: SignInBody,
  request: OperationRequest,
): Promise<{ readonly token: string; readonly expiresAt: string }> => {
  const { commands, signer } = dependencies;
  const { tenant } = request.call;
  const account = await checkedAccount(dependencies, body, request);
  const scopes = accountScopes(account);
  const session = await commands.execute(new StartSession(account, { scopes, lifetimeSeconds: SIGN_IN_LIFETIME }, tenant));
  // `session` is null if the account's tokens became invalid after the check, for example because the password was changed
  // (contract 30.10).
  if (!session) throw signInFailed();
  // The security event names this account as its actor, because the request has no token (contract 34.1).
  request.signedIn = account.userId;
  const token = await signer.sign({
    subject: session.userId,
    scopes,
    expiresInSeconds: SIGN_IN_LIFETIME,
    signIn: { sessionId: session.id, accountRevision: session.accountRevision },
    ...(tenant !== SHARED_POOL && { tenant }),
  });
  return { token, expiresAt: session.expiresAt };
};
