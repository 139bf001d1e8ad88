import type { RateLimit } from '../../../../libs/settings/setting-values.js';

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
