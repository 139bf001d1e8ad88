import { decodeJwt, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import type { TokenVerifier } from '../../../ports/access-token.port.js';
import { CLOCK_SKEW, isFromFuture } from '../claims.js';
import { createCachingVerifier, isTokenText, type VerifiedToken } from '../verified-tokens.js';
import { IssuerKeys, type KeysState } from './issuer-keys.js';
import { outsideClaims, type ClaimNames } from './outside-claims.js';

/** The accepted algorithms (contract 33.2). None of them verifies with a shared secret. */
const ALGORITHMS = ['EdDSA', 'ES256', 'ES384', 'RS256', 'PS256'];
/** The accepted types of a token, in lower case. Most issuers set `JWT` or none (contract 33.2). */
const TYPES: readonly unknown[] = [undefined, 'at+jwt', 'application/at+jwt', 'jwt'];

/** The issuer and the claims of its tokens. */
type OutsideIssuerOptions = ClaimNames & {
  readonly issuer: string;
  readonly audience: string;
  readonly clock: Clock;
  /** Verifies tokens that do not name `issuer` as their issuer. */
  readonly fallback: TokenVerifier;
  /** Called with the text of a new fault, and with null when the issuer can be reached again. */
  readonly onFault: (fault: string | null) => void;
};

/** Verifies the tokens of an outside issuer, and those of this service. */
export type OutsideIssuer = TokenVerifier & {
  keysState(): KeysState;
  /** Stops reading keys. */
  close(): void;
};

/**
 * Starts to read the keys of an outside issuer, without waiting for them. Returns a verifier of the issuer's tokens, which
 * passes other tokens to `fallback`.
 */
export const openOutsideIssuer = (options: OutsideIssuerOptions): OutsideIssuer => {
  const { issuer, clock, fallback, onFault } = options;
  const keys = new IssuerKeys({ issuer, clock, onFault, onChange: () => verifier.forgetTokens() });
  const verifier = createCachingVerifier(clock, async (token): Promise<VerifiedToken | null> => {
    const payload = await payloadOf(token, keys.find, options);
    const claims = payload && outsideClaims(payload, options);
    // The issuer's clock may differ, so the token is valid for CLOCK_SKEW longer, as in `payloadOf`.
    return claims && { claims, expiresAt: ((payload.exp ?? 0) + CLOCK_SKEW) * 1000 };
  });

  return {
    verify(token) {
      if (issuerOf(token) !== issuer) return fallback.verify(token);
      // No key makes a text valid that is not a token, so it is rejected at once.
      if (keys.areKnown() || !isTokenText(token)) return verifier.verify(token);
      return keys.waitUntilKnown().then(() => verifier.verify(token));
    },
    keysState: () => keys.state(),
    close: () => keys.close(),
  };
};

/** Returns the issuer that a token names. The token is not verified yet. */
const issuerOf = (token: string): unknown => {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
};

const payloadOf = async (token: string, find: JWTVerifyGetKey, options: OutsideIssuerOptions): Promise<JWTPayload | null> => {
  const { issuer, audience, clock } = options;
  const currentDate = clock.now();
  const rules = { algorithms: ALGORITHMS, issuer, audience, requiredClaims: ['exp', 'sub'], clockTolerance: CLOCK_SKEW, currentDate };
  try {
    const { payload, protectedHeader } = await jwtVerify(token, find, rules);
    return TYPES.includes(protectedHeader.typ?.toLowerCase()) && !isFromFuture(payload, currentDate) ? payload : null;
  } catch {
    // Callers do not distinguish the errors of jose: each of them means an invalid token.
    return null;
  }
};
