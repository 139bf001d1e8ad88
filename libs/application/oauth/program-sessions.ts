import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { Ids } from '../../eventsourcing/ports/ids.port.js';
import { Sessions, type Session } from '../sessions/sessions.js';
import { programSubject, type OAuthClient } from './clients.js';

/** The lifetime of a session in seconds. */
const LIFETIME = 30 * 86_400;
/** A session that ends sooner than this, in milliseconds, is replaced, because it must outlive each token. */
const SHORTEST = 2 * 3_600_000;

/**
 * The sessions of programs. The tokens of a program belong to a session, as those of people do. So they end within a second in every
 * process, also in one of an earlier version, when the program is removed or a token of it is revoked (contract 30.10).
 */
export class ProgramSessions {
  private readonly sessions: Sessions;

  constructor(
    documents: Documents,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {
    this.sessions = new Sessions(documents);
  }

  /** Returns the session of a program. Starts one if there is none, or if it ends soon. Two calls at the same time may start two. */
  async current({ id, tenant, scopes }: OAuthClient): Promise<Session> {
    const now = this.clock.now();
    const [session] = await this.sessions.ofUser(programSubject(id), now);
    if (session && Date.parse(session.expiresAt) - now.getTime() > SHORTEST) return session;
    const started: Session = {
      ...{ id: this.ids.next(), userId: programSubject(id), tenant, clientId: id, accountRevision: 0, scopes },
      createdAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + LIFETIME * 1_000).toISOString(),
    };
    await this.sessions.add(started);
    return started;
  }
}
