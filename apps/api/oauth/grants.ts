import type { IncomingMessage } from 'node:http';
import Provider, { errors } from 'oidc-provider';
import type { CommandBus } from '@nestjs/cqrs';
import { callerOf } from './koa-bridge.js';
import type { RecordEvent } from '../http/pipeline/security-events.js';
import type { Artifacts } from '../../../libs/application/oauth/artifacts.js';
import { EndSession, StartSession } from '../../../libs/application/sessions/session.commands.js';
import { Sessions, type Session } from '../../../libs/application/sessions/sessions.js';
import type { CheckedAccount } from '../../../libs/application/sessions/sign-in.query.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import type { Documents } from '../../../libs/eventsourcing/ports/documents.port.js';
import type { Ids } from '../../../libs/eventsourcing/ports/ids.port.js';

/** The lifetime of a grant in seconds (contract 32.2). */
export const GRANT_LIFETIME = 30 * 86_400;

type GrantPorts = {
  readonly artifacts: Artifacts;
  readonly documents: Documents;
  readonly commands: CommandBus;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The key from which the ids of grants are derived. */
  readonly idKey: Uint8Array;
  readonly recordEvent: RecordEvent;
};

/** The terms of a grant: the sign-in of which it is the result, the client and its tenant, the granted scopes, and the lifetime. */
type GrantTerms = {
  readonly signIn: string;
  readonly clientId: string;
  readonly tenant: string;
  readonly scopes: readonly string[];
  readonly lifetimeSeconds: number;
};

/**
 * The access that people gave to clients. Each grant has a session with the same id. When the session ends, for example
 * because the password was changed, the grant and its access tokens end, too (contract 30.10, 32.2).
 */
export class Grants {
  private readonly sessions: Sessions;

  constructor(private readonly ports: GrantPorts) {
    this.sessions = new Sessions(ports.documents);
  }

  /**
   * Starts the session of a grant. Returns the id, which the grant and the session share. A sign-in has one grant, also if the
   * form was sent twice. Throws if the tokens of the
   * account became invalid after the sign-in, for example because the password was changed.
   */
  async start(account: CheckedAccount, { signIn, clientId, tenant, scopes, lifetimeSeconds }: GrantTerms): Promise<string> {
    const id = this.ports.ids.derived(this.ports.idKey, 'grant', signIn);
    const terms = { id, scopes, lifetimeSeconds, clientId };
    const session = await this.ports.commands.execute(new StartSession(account, terms, tenant));
    if (!session) throw new errors.SessionNotFound('the account has changed since the sign-in');
    return session.id;
  }

  /** Returns the session of a grant, or null if it has ended. */
  session(grantId: string): Promise<Session | null> {
    return this.sessions.get(grantId, this.ports.clock.now());
  }

  /**
   * Ends a grant, its refresh tokens and its access tokens. Ending a grant again does nothing. `request` is the request that
   * ends the grant. Default: the request that oidc-provider handles, if any. Without a request, the address in the security
   * event is `unknown`.
   */
  async end(grantId: string, request: IncomingMessage | undefined = Provider.ctx?.req): Promise<void> {
    await this.ports.artifacts.removeGrant(grantId);
    const session = await this.session(grantId);
    if (!session) return;
    const { userId, tenant, clientId } = session;
    const { address, requestId } = request ? callerOf(request) : { address: 'unknown', requestId: this.ports.ids.next() };
    await this.ports.commands.execute(new EndSession(grantId, userId, { tenant, actor: userId, requestId }));
    const event = { kind: 'revocation', operation: 'oauthRevoke', actor: userId, address, target: grantId } as const;
    await this.ports.recordEvent({ ...event, ...(clientId !== undefined && { client: clientId }) }, { tenant, requestId });
  }
}
