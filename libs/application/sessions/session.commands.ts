import { rejected, type Rejection } from '../../eventsourcing/decider.js';
import { commandContext, type RequestContext, type ResultOf, RequestCommand } from '../request.js';
import type { CheckedAccount } from './sign-in.query.js';
import { endSession } from './end-tokens.js';
import { Sessions, type Session } from './sessions.js';
import type { Ports } from '../command-ports.js';

/**
 * The terms of a session: the scopes of its tokens, and its lifetime. `clientId` is the OAuth client of the sign-in, if any. `id` is
 * its UUID: starting a session of the same id again adds none. Default: a new one.
 */
export type SessionTerms = {
  readonly scopes: readonly string[];
  readonly lifetimeSeconds: number;
  readonly clientId?: string;
  readonly id?: string;
};

/**
 * Starts a session of an account whose password was checked. Returns null if the account's tokens have ended since the
 * check, for example because the password has changed.
 */
export class StartSession extends RequestCommand<'StartSession', Session | null> {
  constructor(
    readonly account: CheckedAccount,
    readonly terms: SessionTerms,
    readonly tenant: string,
  ) {
    super();
  }
}

type StartingPorts = Ports<'documents' | 'clock' | 'ids' | 'revocations'>;

export const startSession = async (ports: StartingPorts, { account, terms, tenant }: StartSession): Promise<ResultOf<StartSession>> => {
  const { scopes, lifetimeSeconds, clientId, id = ports.ids.next() } = terms;
  const now = ports.clock.now().getTime();
  const session: Session = {
    id,
    userId: account.userId,
    tenant,
    ...(clientId !== undefined && { clientId }),
    accountRevision: account.revision,
    scopes,
    createdAt: new Date(now).toISOString(),
    expiresAt: new Date(now + lifetimeSeconds * 1_000).toISOString(),
  };
  await new Sessions(ports.documents).add(session);
  return (await removeIfOutdated(ports, session)) ? null : session;
};

/**
 * Returns whether the account's tokens have ended since its password was checked. If so, removes the new session, because the
 * change that ended the tokens may have removed the account's sessions before this one was added. The session must not stay,
 * because its grant lives 30 days (contract 32.2). Processes remember for only one day that the account's tokens have ended
 * (contract 30.10). After that day, the grant would give valid tokens.
 */
const removeIfOutdated = async ({ documents, revocations }: StartingPorts, { id, userId, accountRevision }: Session): Promise<boolean> => {
  await revocations.refresh();
  if (!revocations.isRecorded(userId, accountRevision + 1)) return false;
  await new Sessions(documents).remove(id);
  return true;
};

/** Ends a session of an account, or of any account of the tenant if `userId` is null. Returns null on success. */
export class EndSession extends RequestCommand<'EndSession', null | Rejection<'session_not_found'>> {
  constructor(
    readonly id: string,
    readonly userId: string | null,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** Ends the session if the caller may end it. */
export const endPermittedSession = async (
  ports: Ports<'aggregates' | 'documents' | 'clock' | 'revocations'>,
  { id, userId, request }: EndSession,
): Promise<ResultOf<EndSession>> => {
  const session = await new Sessions(ports.documents).get(id, ports.clock.now());
  const isPermitted = userId === null ? session?.tenant === request.tenant : session?.userId === userId;
  if (!session || !isPermitted) return rejected('session_not_found');
  await endSession(ports, session, commandContext(request));
  return null;
};
