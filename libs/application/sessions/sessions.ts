import type { Collection, Documents, StoredDocument } from '../../eventsourcing/ports/documents.port.js';

/** A sign-in to an account. It ends by a sign-out, at `expiresAt`, or when all tokens of the account end. */
export type Session = {
  /** UUID. */
  readonly id: string;
  readonly userId: string;
  /** A tenant's UUID, or SHARED_POOL. */
  readonly tenant: string;
  /** The id of the OAuth client that the sign-in was for. Absent for `POST /v1/auth/tokens`. */
  readonly clientId?: string;
  /** The revision of the account's stream at the sign-in. */
  readonly accountRevision: number;
  readonly scopes: readonly string[];
  /** ISO 8601 in UTC, like `expiresAt`. */
  readonly createdAt: string;
  readonly expiresAt: string;
};

/** The collection of sessions. It is no read model: the log contains only the ends of the sessions that ended early. */
export const SESSIONS: Collection = {
  name: 'sessions',
  version: 1,
  fields: { userId: 'text', expiresAt: 'text' },
  indexes: [['userId', '-expiresAt'], ['expiresAt']],
  cells: [],
};

const PAGE = 500;
/** The maximum number of sessions in a list. An account rarely has more than a few. */
const LISTED = 1_000;

const sessionOf = ({ json }: Pick<StoredDocument, 'json'>): Session => JSON.parse(json) as Session;

/** Stores the sessions of accounts, outside the log. */
export class Sessions {
  constructor(private readonly documents: Documents) {}

  /** Stores a session. It is durable when the call resolves. */
  async add(session: Session): Promise<void> {
    const { id: key, userId, expiresAt } = session;
    const document = { key, json: JSON.stringify(session), fields: { userId, expiresAt }, revision: 0 };
    await this.documents.apply([{ kind: 'put', collection: SESSIONS, document }]);
  }

  /** Returns a session that has not expired, or null. */
  async get(id: string, now: Date): Promise<Session | null> {
    const document = await this.documents.get(SESSIONS, id);
    const session = document && sessionOf(document);
    return session && session.expiresAt > now.toISOString() ? session : null;
  }

  /** Returns the sessions of an account that have not expired, sorted by `expiresAt`, latest first. */
  async ofUser(userId: string, now: Date): Promise<readonly Session[]> {
    const where = { userId, expiresAt: { from: now.toISOString() } };
    const found = await this.documents.find(SESSIONS, { where, sort: ['-expiresAt'], limit: LISTED, offset: 0 });
    return found.map(sessionOf);
  }

  /** Removes all sessions of an account that began before a revision of the account's stream. A repeated call does nothing. */
  async removeEarlier(userId: string, before: number): Promise<void> {
    const earlier: string[] = [];
    for (let offset = 0; ; offset += PAGE) {
      const page = await this.documents.find(SESSIONS, { where: { userId }, sort: ['-expiresAt'], limit: PAGE, offset });
      earlier.push(...page.filter((document) => sessionOf(document).accountRevision < before).map(({ key }) => key));
      if (page.length < PAGE) break;
    }
    await this.remove(earlier);
  }

  /** Removes sessions. A repeated call does nothing. */
  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.documents.apply(ids.map((key) => ({ kind: 'delete', collection: SESSIONS, key })));
  }

  /** Removes up to `limit` expired sessions. Returns their number. */
  async removeExpired(now: Date, limit: number): Promise<number> {
    const where = { expiresAt: { to: now.toISOString() } };
    const expired = await this.documents.find(SESSIONS, { where, sort: ['expiresAt'], limit, offset: 0 });
    await this.remove(expired.map(({ key }) => key));
    return expired.length;
  }
}
