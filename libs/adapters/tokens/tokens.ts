import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { LRUCache } from 'lru-cache';
import type { TokenClaims, TokenSigner, TokenVerifier } from '../../ports/access-token.port.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';

/** Signs access tokens and verifies them. */
export type Tokens = TokenSigner & TokenVerifier;

/** The only accepted algorithm (contract 5.2). */
const ALGORITHM = 'EdDSA';
/** RFC 9068: distinguishes an access token from every other JWT of the same issuer. */
const TYPE = 'at+jwt';
const AUDIENCE = 'petstore';
/** Maximum number of cached tokens. The least recently used is evicted. */
const MAX_CACHED = 10_000;
/** RFC 8410: the DER bytes before the seed of an Ed25519 private key. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
/** Allowed difference between the clocks of issuers and verifiers, in seconds. */
const CLOCK_SKEW = 60;
const LONGEST_SUBJECT = 255;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Longer texts are rejected without parsing. Tokens of this service are shorter. */
const LONGEST_TOKEN = 8_192;

type CachedToken = { readonly claims: TokenClaims; readonly expiresAt: number };

export type TokenOptions = {
  /** The 32-byte seed of the Ed25519 private key. */
  readonly seed: Uint8Array;
  readonly issuer: string;
  readonly clock: Clock;
};

/** Signs and verifies access tokens as JWTs with an Ed25519 key. */
export const createTokens = ({ seed, issuer, clock }: TokenOptions): Tokens => {
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const cache = new LRUCache<string, CachedToken>({ max: MAX_CACHED });

  const verifyAndCache = async (token: string, digest: string): Promise<TokenClaims | null> => {
    const payload = await payloadOf(token, publicKey, issuer, clock.now());
    const claims = payload && claimsOf(payload);
    if (!claims) return null;
    cache.set(digest, { claims, expiresAt: (payload.exp ?? 0) * 1000 });
    return claims;
  };

  return {
    async sign({ subject, scopes, tenant, expiresInSeconds }) {
      const issuedAt = Math.floor(clock.now().getTime() / 1000);
      return new SignJWT({ scope: [...scopes].join(' '), ...(tenant !== undefined && { tenant }) })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
        .setSubject(subject)
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + expiresInSeconds)
        .sign(privateKey);
    },

    verify(token) {
      if (token.length > LONGEST_TOKEN) return null;
      // The cache key is a digest, so that the cache contains no usable tokens.
      const digest = createHash('sha256').update(token).digest('base64url');
      const cached = cache.get(digest);
      if (!cached) return verifyAndCache(token, digest);
      if (clock.now().getTime() < cached.expiresAt) return cached.claims;
      cache.delete(digest);
      return null;
    },
  };
};

/** Returns whether a token has three parts in canonical base64url (RFC 7515): no token has two spellings. */
const isCanonical = (token: string): boolean => {
  const parts = token.split('.');
  return parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
};

const payloadOf = async (token: string, key: KeyObject, issuer: string, currentDate: Date): Promise<JWTPayload | null> => {
  if (!isCanonical(token)) return null;
  const options = { algorithms: [ALGORITHM], typ: TYPE, issuer, audience: AUDIENCE, requiredClaims: ['exp', 'sub'], currentDate };
  try {
    const { payload } = await jwtVerify(token, key, options);
    const latest = currentDate.getTime() / 1000 + CLOCK_SKEW;
    return payload.iat !== undefined && payload.iat > latest ? null : payload;
  } catch {
    // Callers do not distinguish the errors of jose: each of them means an invalid token.
    return null;
  }
};

/**
 * Returns the claims, or null if one has the wrong type. An invalid tenant must not be ignored: a token without
 * a tenant is valid for every tenant.
 */
const claimsOf = ({ sub, scope = '', tenant }: Readonly<Record<string, unknown>>): TokenClaims | null => {
  if (typeof sub !== 'string' || !isSubject(sub) || typeof scope !== 'string') return null;
  const scopes = new Set(scope.split(' ').filter(Boolean));
  if (tenant === undefined) return { subject: sub, scopes };
  return typeof tenant === 'string' && UUID.test(tenant) ? { subject: sub, scopes, tenant: tenant.toLowerCase() } : null;
};

/** Callers without a token act as `anonymous`, so no subject may have that name. */
const isSubject = (text: string): boolean =>
  text !== 'anonymous' && text.length <= LONGEST_SUBJECT && text.isWellFormed() && /^\P{Cc}+$/u.test(text);
