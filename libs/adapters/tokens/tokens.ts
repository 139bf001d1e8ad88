import { errors, jwtVerify, SignJWT, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { IssuerUnavailable, LOCAL_ISSUER, type TokenSigner, type TokenVerifier } from '../../ports/access-token.port.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { checkClaims, isFromFuture, scopesIn } from './claims.js';
import type { KeyPair, TokenKeys } from './signing-keys.js';
import { createCachingVerifier, type VerifiedToken } from './verified-tokens.js';

/** Signs access tokens and verifies them. */
export type Tokens = TokenSigner & TokenVerifier;

/** The only accepted algorithm (contract 5.2). */
const ALGORITHM = 'EdDSA';
/** RFC 9068: distinguishes an access token from every other JWT of the same issuer. */
const TYPE = 'at+jwt';
const AUDIENCE = 'petstore';
/**
 * The form of a key id: a SHA-256 thumbprint (RFC 7638). For a token of an unknown key, the keys are read only if its key id
 * has this form.
 */
const THUMBPRINT = /^[\w-]{43}$/;

export type TokenOptions = {
  /** The newest key signs, and all keys verify. */
  readonly keys: TokenKeys;
  /**
   * The public address of the service, which is the issuer of new tokens. Without an address, the issuer is `petstore`.
   * Tokens of the issuer `petstore` are always accepted.
   */
  readonly publicUrl?: string | undefined;
  readonly clock: Clock;
};

/** Signs and verifies access tokens as JWTs with Ed25519 keys. */
export const createTokens = ({ keys, publicUrl, clock }: TokenOptions): Tokens => {
  const issuer = publicUrl ?? LOCAL_ISSUER;
  const verifyText = async (token: string): Promise<VerifiedToken | null> => {
    const payload = await payloadOf(token, keys, [issuer, LOCAL_ISSUER], clock.now());
    const claims = payload && claimsOf(payload);
    return claims && { claims, expiresAt: (payload.exp ?? 0) * 1000 };
  };
  const verifier = createCachingVerifier(clock, verifyText);
  // A change may have removed a key. The tokens of a removed key must not stay in the cache.
  keys.onChange(() => verifier.forgetTokens());

  return {
    verify: (token) => verifier.verify(token),
    async sign({ subject, scopes, tenant, signIn, expiresInSeconds }) {
      const { kid, privateKey } = keys.newest();
      const issuedAt = Math.floor(clock.now().getTime() / 1000);
      const session = signIn && { sid: signIn.sessionId, rev: signIn.accountRevision };
      return new SignJWT({ scope: [...scopes].join(' '), ...(tenant !== undefined && { tenant }), ...session })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
        .setSubject(subject)
        .setIssuer(issuer)
        .setAudience(AUDIENCE)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + expiresInSeconds)
        .sign(privateKey);
    },
  };
};

/** Returns the key of a token. For an unknown key, reads all keys again, because another process may have added the key. */
const keyFor = async (keys: TokenKeys, { kid }: JWTHeaderParameters): Promise<KeyPair> => {
  const known = kid === undefined || typeof kid === 'string' ? keys.find(kid) : undefined;
  if (known) return known;
  if (typeof kid !== 'string' || !THUMBPRINT.test(kid)) throw new errors.JWKSNoMatchingKey();
  await keys.reload();
  const added = keys.find(kid);
  if (!added) throw new errors.JWKSNoMatchingKey();
  return added;
};

const payloadOf = async (token: string, keys: TokenKeys, issuer: string[], currentDate: Date): Promise<JWTPayload | null> => {
  const options = { algorithms: [ALGORITHM], typ: TYPE, issuer, audience: AUDIENCE, requiredClaims: ['exp', 'sub'], currentDate };
  try {
    const { payload } = await jwtVerify(token, async (header: JWTHeaderParameters) => (await keyFor(keys, header)).publicKey, options);
    return isFromFuture(payload, currentDate) ? null : payload;
  } catch (error) {
    // The keys could not be read, so the token may be valid.
    if (error instanceof StoreUnavailable) throw new IssuerUnavailable();
    // Each error of jose means an invalid token.
    return null;
  }
};

const claimsOf = ({ sub, scope = '', tenant, adoption, sid, rev, client_id: client }: Readonly<Record<string, unknown>>) =>
  checkClaims({ sub, scopes: typeof scope === 'string' ? scopesIn(scope) : null, tenant, adoption, sid, rev, client });
