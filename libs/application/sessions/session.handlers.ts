import { Inject } from '@nestjs/common';
import { Command, CommandHandler, Query, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import { rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { Aggregates } from '../../eventsourcing/handle.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { Ids } from '../../eventsourcing/ports/ids.port.js';
import { commandContext, type RequestContext, type ResultOf } from '../request.js';
import { AGGREGATES, CLOCK, DOCUMENTS, IDS, REVOCATIONS } from '../tokens.js';
import type { CheckedAccount } from './sign-in.query.js';
import { endSession } from './end-tokens.js';
import type { Revocations } from './revocations.js';
import { Sessions, type Session } from './sessions.js';

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
export class StartSession extends Command<Session | null> {
  constructor(
    readonly account: CheckedAccount,
    readonly terms: SessionTerms,
    readonly tenant: string,
  ) {
    super();
  }
}

@CommandHandler(StartSession)
export class StartSessionHandler implements ICommandHandler<StartSession> {
  private readonly sessions: Sessions;

  constructor(
    @Inject(DOCUMENTS) documents: Documents,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(REVOCATIONS) private readonly revocations: Revocations,
  ) {
    this.sessions = new Sessions(documents);
  }

  async execute({ account, terms, tenant }: StartSession): Promise<ResultOf<StartSession>> {
    const { scopes, lifetimeSeconds, clientId, id = this.ids.next() } = terms;
    const now = this.clock.now().getTime();
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
    await this.sessions.add(session);
    return (await this.isOutdated(session)) ? null : session;
  }

  /**
   * Returns whether the account's tokens have ended since its password was checked. If so, removes the new session, because the
   * change that ended the tokens may have removed the account's sessions before this one was added. The session must not stay,
   * because its grant lives 30 days (contract 32.2). Processes remember for only one day that the account's tokens have ended
   * (contract 30.10). After that day, the grant would give valid tokens.
   */
  private async isOutdated({ id, userId, accountRevision }: Session): Promise<boolean> {
    await this.revocations.refresh();
    if (!this.revocations.isRecorded(userId, accountRevision + 1)) return false;
    await this.sessions.remove(id);
    return true;
  }
}

/** Ends a session of an account, or of any account of the tenant if `userId` is null. Returns null on success. */
export class EndSession extends Command<null | Rejection<'session_not_found'>> {
  constructor(
    readonly id: string,
    readonly userId: string | null,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(EndSession)
export class EndSessionHandler implements ICommandHandler<EndSession> {
  constructor(
    @Inject(AGGREGATES) readonly aggregates: Aggregates,
    @Inject(DOCUMENTS) readonly documents: Documents,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(REVOCATIONS) readonly revocations: Revocations,
  ) {}

  async execute({ id, userId, request }: EndSession): Promise<ResultOf<EndSession>> {
    const session = await new Sessions(this.documents).get(id, this.clock.now());
    const isPermitted = userId === null ? session?.tenant === request.tenant : session?.userId === userId;
    if (!session || !isPermitted) return rejected('session_not_found');
    await endSession(this, session, commandContext(request));
    return null;
  }
}

/** The sessions of an account that belong to `tenant`, sorted by `expiresAt`, latest first. */
export class ListSessions extends Query<readonly Session[]> {
  constructor(
    readonly userId: string,
    /** Null if the account lists its own sessions. The list then contains the sessions of every tenant. */
    readonly tenant: string | null,
  ) {
    super();
  }
}

@QueryHandler(ListSessions)
export class ListSessionsHandler implements IQueryHandler<ListSessions> {
  constructor(
    @Inject(DOCUMENTS) private readonly documents: Documents,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ userId, tenant }: ListSessions): Promise<ResultOf<ListSessions>> {
    const sessions = await new Sessions(this.documents).ofUser(userId, this.clock.now());
    return sessions.filter((session) => tenant === null || session.tenant === tenant);
  }
}
