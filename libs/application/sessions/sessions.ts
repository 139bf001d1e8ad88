import type { Collection, Documents } from '../../eventsourcing/ports/documents.port.js';
import { StateStore } from '../state/state-store.js';

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

/** The collection of sessions. The log contains only the ends of the sessions that ended early. */
export const SESSIONS: Collection = {
  name: 'sessions',
  version: 1,
  fields: { userId: 'text', expiresAt: 'text' },
  indexes: [['userId', '-expiresAt'], ['expiresAt']],
  cells: [],
};

/** The maximum number of sessions in a list. An account rarely has more than a few. */
const LISTED = 1_000;

/** Stores the sessions of accounts, outside the log. */
export class Sessions {
  private readonly store: StateStore<Session>;

  constructor(documents: Documents) {
    this.store = new StateStore(documents, SESSIONS);
  }

  /** Stores a session. It is durable when the call resolves. */
  async add(session: Session): Promise<void> {
    const { id: key, userId, expiresAt } = session;
    await this.store.put({ key, value: session, fields: { userId, expiresAt } }, 'none');
  }

  /** Returns a session that has not expired, or null. */
  async get(id: string, now: Date): Promise<Session | null> {
    const session = (await this.store.get(id))?.value;
    return session && session.expiresAt > now.toISOString() ? session : null;
  }

  /** Returns the sessions of an account that have not expired, sorted by `expiresAt`, latest first. */
  async ofUser(userId: string, now: Date): Promise<readonly Session[]> {
    const where = { userId, expiresAt: { from: now.toISOString() } };
    const found = await this.store.find(where, { sort: ['-expiresAt'], limit: LISTED, offset: 0 });
    return found.map(({ value }) => value);
  }

  /** Removes all sessions of an account that began before a revision of the account's stream. A repeated call does nothing. */
  async removeEarlier(userId: string, before: number): Promise<void> {
    await this.store.deleteWhere({ userId }, ({ value }) => value.accountRevision < before);
  }

  /**
   * Returns all sessions that have not expired, in pages, earliest end first. A session that is added meanwhile may be missing. No index
   * has the client of a session, because clients are rarely removed.
   */
  async *pages(now: Date): AsyncGenerator<readonly Session[]> {
    let from = now.toISOString();
    let listed: ReadonlySet<string> = new Set();
    for (;;) {
      const page = (await this.store.find({ expiresAt: { from } }, { sort: ['expiresAt'], limit: LISTED, offset: 0 })).map(
        ({ value }) => value,
      );
      const more = page.filter(({ id }) => !listed.has(id));
      if (more.length > 0) yield more;
      const last = page.at(-1);
      if (!last || page.length < LISTED || more.length === 0) return;
      from = last.expiresAt;
      listed = new Set(page.filter(({ expiresAt }) => expiresAt === from).map(({ id }) => id));
    }
  }

  /** Removes sessions. A repeated call does nothing. */
  async remove(...ids: readonly string[]): Promise<void> {
    await this.store.delete(...ids);
  }

  /** Removes the expired sessions. */
  async removeExpired(now: Date): Promise<void> {
    await this.store.deleteWhere({ expiresAt: { to: now.toISOString() } });
  }
}
