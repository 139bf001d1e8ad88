import { dayOf } from '../../eventsourcing/day.js';
import type { RevocationEvent } from '../../domain/revocations/revocations.decider.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { RevocationsUnavailable, type TokenClaims, type TokenVerifier, type VerifiedClaims } from '../../ports/access-token.port.js';
import { HistoryReader } from '../../runtime/codec/history-reader.js';
import type { VerifiedLog } from '../../runtime/codec/verified-history.js';

/** The longest lifetime in seconds of an access token from a sign-in (contract 30.7). */
export const SIGN_IN_LIFETIME = 86_400;

/**
 * Milliseconds without a read of the revocations of other processes, after which this process no longer accepts tokens of
 * sign-ins (contract 30.10).
 */
export const MAX_REVOCATIONS_AGE = 30_000;

/** Milliseconds by which the clocks of two processes may differ: an hour. */
const CLOCK_SKEW = 3_600_000;
const PAGE = 1_000;

/**
 * The tokens that ended on one day. `sessions` are the sessions that ended. `accounts` has a revision for each account: if a
 * sign-in was before that revision, its tokens have ended. `read` is the number of events of the day's stream that were read.
 */
type Day = { read: number; readonly sessions: Set<string>; readonly accounts: Map<string, number> };

/**
 * The tokens that ended before they expired. They are in memory, so that requests read no events (contract 30.10). Each
 * `refresh` reads the events that were recorded since the last `refresh`.
 */
export class Revocations {
  private readonly days = new Map<string, Day>();
  private readonly reader: HistoryReader;
  private refreshing: Promise<void> = Promise.resolve();
  /** `Clock.elapsed` at the begin of the last successful read. */
  private readAt: number;

  /** `maxAge` is in milliseconds: MAX_REVOCATIONS_AGE if other processes end tokens, too. */
  constructor(
    private readonly log: VerifiedLog,
    private readonly clock: Clock,
    private readonly maxAge = Infinity,
  ) {
    this.reader = new HistoryReader(log);
    this.readAt = clock.elapsed();
  }

  /** Reads all revocations that were recorded before the call. If the store is unavailable, rejects with StoreUnavailable. */
  refresh(): Promise<void> {
    this.refreshing = this.refreshing.catch(() => undefined).then(() => this.read());
    return this.refreshing;
  }

  /**
   * Returns whether a token has ended before it expires. A token that belongs to no sign-in never ends early. Returns undefined if the
   * token may have ended after the last read, because that read was longer than `maxAge` ago.
   */
  isEnded({ subject, signIn }: TokenClaims): boolean | undefined {
    if (!signIn) return false;
    for (const { sessions, accounts } of this.days.values())
      if (sessions.has(signIn.sessionId) || signIn.accountRevision < (accounts.get(subject) ?? 0)) return true;
    return this.clock.elapsed() - this.readAt > this.maxAge ? undefined : false;
  }

  /** Returns whether the tokens of sign-ins before this revision of the account's stream have ended. */
  isRecorded(userId: string, before: number): boolean {
    return [...this.days.values()].some(({ accounts }) => (accounts.get(userId) ?? 0) >= before);
  }

  private async read(): Promise<void> {
    const [now, begin] = [this.clock.now().getTime(), this.clock.elapsed()];
    // Tokens that ended before this day have expired by now.
    const first = dayOf(now - SIGN_IN_LIFETIME * 1_000);
    for (const day of this.days.keys()) if (day < first) this.days.delete(day);
    // The clocks of other processes may differ. Around midnight, such a process may append to the stream of another day.
    const open = [dayOf(now - CLOCK_SKEW), dayOf(now + CLOCK_SKEW)];
    for (const day of new Set([...(this.days.has(first) ? [] : [first]), ...open])) await this.readDay(day);
    this.readAt = begin;
  }

  private async readDay(name: string): Promise<void> {
    const day = this.days.get(name) ?? { read: 0, sessions: new Set(), accounts: new Map() };
    this.days.set(name, day);
    for (;;) {
      const stored = await this.log.store.readStream(`revocations-${name}`, day.read, PAGE);
      const { events } = await this.reader.read(stored);
      for (const event of events) addTo(day, event as unknown as RevocationEvent);
      day.read += events.length;
      // The reader stops at an altered event, and the codec records the fault. The loop then ends, as at the end of the stream.
      if (events.length < PAGE) return;
    }
  }
}

const addTo = ({ sessions, accounts }: Day, { type, data }: RevocationEvent): void => {
  if (type === 'SessionEnded') sessions.add(data.sessionId);
  else accounts.set(data.userId, Math.max(data.before, accounts.get(data.userId) ?? 0));
};

/** Returns a verifier that also rejects tokens that have ended. If that is unknown, `verify` rejects with RevocationsUnavailable. */
export const rejectEndedTokens = (verifier: TokenVerifier, revocations: Pick<Revocations, 'isEnded'>): TokenVerifier => {
  const withoutEnded = (claims: VerifiedClaims): ReturnType<TokenVerifier['verify']> => {
    if (claims === null || typeof claims === 'string') return claims;
    const isEnded = revocations.isEnded(claims);
    if (isEnded === undefined) return Promise.reject(new RevocationsUnavailable());
    return isEnded ? null : claims;
  };
  return {
    verify(token) {
      const claims = verifier.verify(token);
      return claims instanceof Promise ? claims.then(withoutEnded) : withoutEnded(claims);
    },
  };
};
