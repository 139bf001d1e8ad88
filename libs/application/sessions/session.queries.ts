import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Clock } from '../../eventsourcing/ports/clock.port.js';
import { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { ResultOf } from '../request.js';
import { Sessions, type Session } from './sessions.js';

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
    private readonly documents: Documents,
    private readonly clock: Clock,
  ) {}

  async execute({ userId, tenant }: ListSessions): Promise<ResultOf<ListSessions>> {
    const sessions = await new Sessions(this.documents).ofUser(userId, this.clock.now());
    return sessions.filter((session) => tenant === null || session.tenant === tenant);
  }
}
