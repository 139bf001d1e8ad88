import type { RateLimit } from '../../../../libs/settings/setting-values.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import type { RateLimitCounters } from '../../../../libs/ports/rate-limit-counters.port.js';
import { createRateLimiter, type RateLimiter } from './rate-limit.js';

/** A limit beside the common one of RATE_LIMIT. */
type RequestLimit = RateLimit & {
  /** Whether it replaces the common limit, or holds besides it. */
  readonly commonLimit: 'replaced' | 'holds too';
  /** Whether the requests of an address count together, also those with a token, or those of each caller. */
  readonly countsBy: 'address' | 'caller';
  /** Whether requests of operators count. */
  readonly countsOperators?: true;
};

/**
 * What counts towards which limit (contract 11.2). Operations name their limit, and those that name the same share it. Without one,
 * requests count towards the common limit, by caller, and those of operators do not count. Processes exchange their counts
 * under these names.
 */
export const REQUEST_LIMITS = {
  /** Signing in: `POST /v1/auth/tokens`, the sign-in of the classic variant, and the pages of the authorization server. */
  createAuthToken: { limit: 60, windowSeconds: 60, commonLimit: 'replaced', countsBy: 'address', countsOperators: true },
  /** What fails of it (sign-in/failed-attempts.ts). */
  failedSignIn: { limit: 10, windowSeconds: 60, commonLimit: 'holds too', countsBy: 'address', countsOperators: true },
  /** Creating an account, in both variants. */
  createUser: { limit: 10, windowSeconds: 60, commonLimit: 'replaced', countsBy: 'address' },
  /** Creating a list of accounts. It is low, because the service hashes the password of each. */
  classicCreateUsersWithListInput: { limit: 2, windowSeconds: 60, commonLimit: 'replaced', countsBy: 'address' },
  /** Searching by tags. It is low, because no index contains tags: the search may read all pets that have tags or a category. */
  classicFindPetsByTags: { limit: 60, windowSeconds: 60, commonLimit: 'replaced', countsBy: 'address' },
  /** Asking the advisor, in both interfaces (contract 41.7). */
  chat: { limit: 60, windowSeconds: 60, commonLimit: 'holds too', countsBy: 'caller' },
} as const satisfies Readonly<Record<string, RequestLimit>>;

export type LimitName = keyof typeof REQUEST_LIMITS;

/** Returns a limit by its name. */
export const requestLimit = (name: LimitName): RequestLimit => REQUEST_LIMITS[name];

/** The rate limiters (contract 11.2). All are null if RATE_LIMIT is `off`. */
export type Limiters = {
  readonly common: RateLimiter | null;
  /** Returns the limiter of a row of REQUEST_LIMITS. */
  named(name: LimitName): RateLimiter | null;
  /** Stops the exchange of counts with other processes. */
  stop(): void;
};

/** Creates the limiters. `limit` is the setting RATE_LIMIT. */
export const createLimiters = (limit: RateLimit | 'off', clock: Clock, counters?: RateLimitCounters): Limiters => {
  if (limit === 'off') return { common: null, named: () => null, stop: () => undefined };
  const common = createRateLimiter(limit, clock, counters);
  const limiters = [common];
  const created = new Map<LimitName, RateLimiter>();
  const create = (name: LimitName): RateLimiter => {
    const limiter = createRateLimiter(requestLimit(name), clock, counters);
    limiters.push(limiter);
    // All limiters use the same shared counters. The name in the key keeps the counts of this limiter separate.
    const keyOf = (caller: string): string => `${name}:${caller}`;
    const named: RateLimiter = {
      ...limiter,
      take: (caller) => limiter.take(keyOf(caller)),
      peek: (caller) => limiter.peek(keyOf(caller)),
    };
    created.set(name, named);
    return named;
  };
  return {
    common,
    named: (name) => created.get(name) ?? create(name),
    stop: () => limiters.forEach((limiter) => limiter.stop()),
  };
};
