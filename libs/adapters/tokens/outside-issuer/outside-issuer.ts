import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
} from 'jose';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import type { TokenVerifier } from '../../../ports/access-token.port.js';
import { CLOCK_SKEW, isFromFuture } from '../claims.js';
import { createCachingVerifier, isTokenText, type VerifiedToken } from '../verified-tokens.js';
import { IssuerKeys, type KeysState } from './issuer-keys.js';
import { outsideClaims, type ClaimNames } from './outside-claims.js';

/** The accepted algorithms (contract 33.2). None of them verifies with a shared secret. */
const ALGORITHMS = ['EdDSA', 'Ed25519', 'ES256', 'ES384', 'RS256', 'PS256'];
/** The accepted types of a token, in lower case. Most issuers set `JWT` or none (contract 33.2). */
const TYPES: readonly unknown[] = [undefined, 'at+jwt', 'application/at+jwt', 'jwt'];

/** The maximum length of a token in characters (contract 33.2). Some issuers list the groups of a person. */
const LONGEST_TOKEN = 12_288;

/** The issuer and the claims of its tokens. */
type OutsideIssuerOptions = ClaimNames & {
  readonly issuer: string;
  readonly audience: string;
  /** The setting OIDC_JWKS_URL. */
  readonly keysUrl?: string | undefined;
  readonly clock: Clock;
  /** Verifies tokens that do not name `issuer` as their issuer. */
  readonly fallback: TokenVerifier;
  /** Called with the text of a new fault, and with null when the issuer can be reached again. */
  readonly onFault: (fault: string | null) => void;
  /** Called with the reason for each token of the issuer that is rejected. There are few reasons, and none has text of the token. */
  readonly onRejected: (reason: string) => void;
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
  const { issuer, keysUrl, clock, fallback, onFault, onRejected } = options;
  const keys = new IssuerKeys({ issuer, keysUrl, clock, onFault, onChange: () => verifier.forgetTokens() });
  const verifyText = async (token: string): Promise<VerifiedToken | null> => {
    const payload = await payloadOf(token, keys.find, options);
    const claims = payload && outsideClaims(payload, options);
    if (payload && !claims) onRejected('the subject, the scopes or the tenant has a wrong form, or it is no access token');
    // The issuer's clock may differ, so the token is valid for CLOCK_SKEW longer, as in `payloadOf`.
    return claims && { claims, expiresAt: ((payload.exp ?? 0) + CLOCK_SKEW) * 1000 };
  };
  const verifier = createCachingVerifier(clock, verifyText, LONGEST_TOKEN);

  return {
    verify(token) {
      if (issuerOf(token) !== issuer) return fallback.verify(token);
      if (token.length > LONGEST_TOKEN) onRejected(`it is longer than ${LONGEST_TOKEN} characters`);
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
  const { issuer, audience, clock, onRejected } = options;
  const currentDate = clock.now();
  const rules = { algorithms: ALGORITHMS, issuer, audience, requiredClaims: ['exp', 'sub'], clockTolerance: CLOCK_SKEW, currentDate };
  try {
    const { payload, protectedHeader } = await verifyByAnyKey(token, find, rules);
    if (TYPES.includes(protectedHeader.typ?.toLowerCase()) && !isFromFuture(payload, currentDate)) return payload;
    onRejected(isFromFuture(payload, currentDate) ? 'it was issued in the future' : 'its type is not that of an access token');
  } catch (error) {
    // Callers do not distinguish the errors of jose: each of them means an invalid token.
    onRejected(reasonOf(error));
  }
  return null;
};

/** Verifies a token. If its key id fits several keys of the issuer, tries each of them. */
const verifyByAnyKey = async (token: string, find: JWTVerifyGetKey, rules: JWTVerifyOptions): Promise<JWTVerifyResult> => {
  try {
    return await jwtVerify(token, find, rules);
  } catch (error) {
    // A token without a key id does not choose among the keys (contract 33.3).
    if (!(error instanceof errors.JWKSMultipleMatchingKeys) || decodeProtectedHeader(token).kid === undefined) throw error;
    for await (const key of error) {
      try {
        return await jwtVerify(token, key, rules);
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
};

/** The reasons by the codes of jose's errors. Its messages may quote the token. */
const REASONS: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'it has expired',
  ERR_JWKS_NO_MATCHING_KEY: 'the issuer has no key with its kid for its algorithm',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'its signature is wrong',
  ERR_JOSE_ALG_NOT_ALLOWED: `its algorithm is none of ${ALGORITHMS.join(', ')}`,
};
/** The claims whose names are part of a reason. */
const NAMED_CLAIMS = ['aud', 'exp', 'nbf', 'sub', 'iat'];

const reasonOf = (error: unknown): string => {
  if (error instanceof errors.JWTClaimValidationFailed)
    return NAMED_CLAIMS.includes(error.claim) ? `its claim ${error.claim} is missing or does not fit` : 'a claim does not fit';
  const code = error instanceof errors.JOSEError ? error.code : '';
  return REASONS[code] ?? 'it cannot be verified';
};
