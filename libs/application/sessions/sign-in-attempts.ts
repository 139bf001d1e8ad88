import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Collection, Documents } from '../../eventsourcing/ports/documents.port.js';
import { StateStore } from '../state/state-store.js';
import {
  failed,
  hasSignedIn,
  isRecent,
  NO_ATTEMPTS,
  rememberedUntil,
  signedInAgain,
  succeeded,
  waitOf,
  type AccountAttempts,
} from './attempt-rules.js';

/** The attempts to sign in, by account. */
export const SIGN_IN_ATTEMPTS: Collection = {
  name: 'sign_in_attempts',
  version: 1,
  fields: { expiresAt: 'text' },
  indexes: [['expiresAt']],
  cells: [],
};

/** A permitted attempt. Its caller reports the result. */
export type SignInAttempt = { fail(): Promise<void>; succeed(): Promise<void> };

const nothing = (): Promise<void> => Promise.resolve();

/**
 * Slows down guesses of passwords, over all processes (contract 30.7). The counts are stored, so that a restart does not reset
 * them and concurrent attempts cannot pass a limit together.
 */
export class SignInAttempts {
  private readonly store: StateStore<AccountAttempts>;

  constructor(
    documents: Documents,
    private readonly clock: Clock,
  ) {
    this.store = new StateStore(documents, SIGN_IN_ATTEMPTS);
  }

  /**
   * Returns a permitted attempt, otherwise the seconds until another attempt is permitted. `account` is the id of an account or, for
   * a name that nobody has, the digest of the name. `network` is the digest of the network that the attempt comes from.
   *
   * An attempt from a network without a sign-in counts as failed until it succeeds. So usual sign-ins, which come from the networks of
   * earlier ones, write nothing.
   */
  async begin(account: string, network: string): Promise<SignInAttempt | number> {
    let earlier = NO_ATTEMPTS;
    const seconds = await this.change(account, (attempts, now) => {
      earlier = attempts;
      const wait = waitOf(attempts, network, now);
      if (wait > 0) return wait;
      return hasSignedIn(attempts, network) ? attempts : failed(attempts, network, now);
    });
    if (seconds > 0) return seconds;
    const count = (next: typeof failed) => () =>
      this.change(account, (attempts, now) => next(attempts, network, now)).then(() => undefined);
    if (!hasSignedIn(earlier, network)) return { fail: nothing, succeed: count(succeeded) };
    return { fail: count(failed), succeed: isRecent(earlier, network, this.clock.now().getTime()) ? nothing : count(signedInAgain) };
  }

  /** Removes what is stored of an account. A repeated call does nothing. */
  async forget(account: string): Promise<void> {
    await this.store.delete(account);
  }

  /** Removes the attempts that no longer count. */
  async removeExpired(now: Date): Promise<void> {
    await this.store.deleteWhere({ expiresAt: { to: now.toISOString() } });
  }

  /** Stores a change. A decision for the same attempts, or for seconds to wait, stores nothing. Returns the seconds, or 0. */
  private async change(account: string, decide: (attempts: AccountAttempts, now: number) => AccountAttempts | number): Promise<number> {
    let seconds = 0;
    const outcome = await this.store.change(account, (stored) => {
      const [current, now] = [stored?.value ?? NO_ATTEMPTS, this.clock.now().getTime()];
      const decided = decide(current, now);
      seconds = typeof decided === 'number' ? decided : 0;
      if (typeof decided === 'number' || decided === current) return null;
      return { value: decided, fields: { expiresAt: rememberedUntil(decided, now) } };
    });
    return outcome === 'contended' ? 1 : seconds;
  }
}

/** Permits every attempt: for RATE_LIMIT=off, and for processes that answer no requests. */
export const UNLIMITED_ATTEMPTS: Pick<SignInAttempts, 'begin'> = { begin: () => Promise.resolve({ fail: nothing, succeed: nothing }) };
