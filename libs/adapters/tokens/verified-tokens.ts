import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { TokenVerifier, TokenClaims, VerifiedClaims } from '../../ports/access-token.port.js';

/** Maximum number of cached tokens. The least recently used is evicted. */
const MAX_CACHED = 10_000;
/** Longer texts are rejected without parsing (contract 5.2). */
export const LONGEST_TOKEN = 8_192;

/**
 * Milliseconds for which a second cache finds a token by its text. The main cache finds it by its digest, and computing the
 * digest takes 5 % of the time of a read request. With the second cache, a busy caller's token is digested once a second.
 */
const TEXT_CACHED = 1_000;
/**
 * The number of characters that the second cache uses as the key of a token. They belong to its signature, so different tokens
 * rarely share them. A map hashes its keys, and the hash of a whole token takes 1 µs.
 */
const KEY_LENGTH = 40;

/** The claims of a valid token, and when it expires, in milliseconds since 1970. */
export type VerifiedToken = { readonly claims: TokenClaims; readonly expiresAt: number };

/** Verifies a text that has the form of a token. */
type VerifyText = (token: string) => Promise<VerifiedToken | Exclude<VerifiedClaims, TokenClaims>>;

type RecentTokens = Map<string, { readonly token: string; readonly verified: VerifiedToken }>;

/** A verifier with a cache of valid tokens. */
export type CachingVerifier = TokenVerifier & {
  /** Makes the verifier verify every token again. The result of a running verification is not cached. */
  forgetTokens(): void;
};

/** Caches the results of `verifyText`, which gets only texts in the form of a token, of at most `longest` characters. */
export const createCachingVerifier = (clock: Clock, verifyText: VerifyText, longest = LONGEST_TOKEN): CachingVerifier => {
  let cache = new LRUCache<string, VerifiedToken>({ max: MAX_CACHED });
  /** The tokens of the last TEXT_CACHED milliseconds, by the end of their text. */
  let recent: RecentTokens = new Map();
  let recentUntil = 0;

  const find = (token: string, now: number): VerifiedToken | undefined => {
    if (now >= recentUntil || recent.size >= MAX_CACHED) [recent, recentUntil] = [new Map() as RecentTokens, now + TEXT_CACHED];
    const end = token.slice(-KEY_LENGTH);
    const cached = recent.get(end);
    if (cached?.token === token) return cached.verified;
    const verified = cache.get(digestOf(token));
    if (verified) recent.set(end, { token, verified });
    return verified;
  };

  const verifyAndCache = async (token: string): Promise<VerifiedClaims> => {
    // If `forgetTokens` is called during the verification, the result is stored in the former cache, which nobody reads.
    const current = cache;
    const verified = isTokenText(token) ? await verifyText(token) : null;
    if (verified === null || typeof verified === 'string') return verified;
    current.set(digestOf(token), verified);
    return verified.claims;
  };

  return {
    verify(token) {
      if (token.length > longest) return null;
      const now = clock.now().getTime();
      const cached = find(token, now);
      if (!cached) return verifyAndCache(token);
      return now < cached.expiresAt ? cached.claims : null;
    },
    forgetTokens() {
      cache = new LRUCache<string, VerifiedToken>({ max: MAX_CACHED });
      recent = new Map();
    },
  };
};

/** Returns the key of a token in `cache`. It is a digest, so that `cache` contains no usable tokens. */
const digestOf = (token: string): string => hash('sha256', token, 'base64url');

/** Returns whether a text has three parts in canonical base64url (RFC 7515), which gives each token only one spelling. */
export const isTokenText = (token: string): boolean => {
  const parts = token.split('.');
  return parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
};
