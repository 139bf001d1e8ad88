import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Ids } from '../../eventsourcing/ports/ids.port.js';
import type { Session, Sessions } from '../sessions/sessions.js';
import { programSubject, type OAuthClient, type OAuthClients } from './clients.js';

/** The lifetime of a session in seconds. */
const LIFETIME = 30 * 86_400;
/** A session that ends sooner than this, in milliseconds, is replaced, because it must outlive each token. */
const SHORTEST = 2 * 3_600_000;

type ProgramSessionDependencies = {
  readonly clients: Pick<OAuthClients, 'get'>;
  readonly sessions: Pick<Sessions, 'ofUser' | 'add'>;
  /** Ends a session and its tokens. */
  readonly end: (sessionId: string) => Promise<void>;
  readonly clock: Clock;
  readonly ids: Ids;
};

/**
 * The sessions of programs. The tokens of a program belong to a session, as those of people do. So they end within a second in every
 * process, also in one of an earlier version, when the program is removed or a token of it is revoked (contract 30.10).
 */
export class ProgramSessions {
  constructor(private readonly dependencies: ProgramSessionDependencies) {}

  /**
   * Returns the session of a program for a token with these scopes. Null if the program was removed or does not have the scopes any more.
   * Such a change ends the sessions of the program. It may miss a session that was started meanwhile, which ends here.
   */
  async forToken(clientId: string, scopes: readonly string[]): Promise<Session | null> {
    const program = await this.programWith(clientId, scopes);
    if (!program) return null;
    const session = await this.current(program);
    if (await this.programWith(clientId, scopes)) return session;
    await this.dependencies.end(session.id);
    return null;
  }

  private async programWith(clientId: string, scopes: readonly string[]): Promise<OAuthClient | null> {
    const client = (await this.dependencies.clients.get(clientId))?.client;
    return client?.program && scopes.every((scope) => client.scopes.includes(scope)) ? client : null;
  }

  /** Starts a session if there is none, or if it ends soon. Two calls at the same time may start two. */
  private async current({ id, tenant, scopes }: OAuthClient): Promise<Session> {
    const { sessions, clock, ids } = this.dependencies;
    const now = clock.now();
    const [session] = await sessions.ofUser(programSubject(id), now);
    if (session && Date.parse(session.expiresAt) - now.getTime() > SHORTEST) return session;
    const started: Session = {
      ...{ id: ids.next(), userId: programSubject(id), tenant, clientId: id, accountRevision: 0, scopes },
      createdAt: now.toISOString(),
      expiresAt: new Date(now.getTime() + LIFETIME * 1_000).toISOString(),
    };
    await sessions.add(started);
    return started;
  }
}
