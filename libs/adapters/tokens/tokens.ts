import {
  compactVerify,
  decodeProtectedHeader,
  errors,
  jwtVerify,
  SignJWT,
  type CompactJWSHeaderParameters,
  type JWTHeaderParameters,
  type JWTPayload,
} from 'jose';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import {
  IssuerUnavailable,
  LOCAL_ISSUER,
  type IdTokenClaims,
  type ForeignToken,
  type IdTokenReader,
  type TokenSigner,
  type TokenVerifier,
} from '../../ports/access-token.port.js';
import { checkClaims, isFromFuture, scopesIn } from './claims.js';
import type { KeyPair, TokenKeys } from './signing-keys.js';
import { createCachingVerifier, LONGEST_TOKEN, type VerifiedToken } from './verified-tokens.js';

/** Signs access tokens and verifies them, and reads ID tokens. */
export type Tokens = TokenSigner & TokenVerifier & IdTokenReader;

/** The accepted algorithms (contract 5.2). Each key has only one of them. */
const ALGORITHMS = ['RS256', 'EdDSA'];
/** RFC 9068: distinguishes an access token from every other JWT of the same issuer. */
const TYPE = 'at+jwt';
/** Matches an http address of this machine. */
const LOOPBACK = /^http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?(?:\/|$)/;
const AUDIENCE = 'petstore';
/**
 * The form of a key id: a SHA-256 thumbprint (RFC 7638). For a token of an unknown key, the keys are read only if its key id
 * has this form.
 */
const THUMBPRINT = /^[\w-]{43}$/;

export type TokenOptions = {
  /** The current key signs, and all keys verify. */
  readonly keys: TokenKeys;
  /** Returns the address of the service, which is the issuer of new tokens. Default: LOCAL_ISSUER. */
  readonly issuer?: (() => string) | undefined;
  readonly clock: Clock;
};

/** Signs and verifies access tokens as JWTs with the keys of the store. */
export const createTokens = ({ keys, issuer = () => LOCAL_ISSUER, clock }: TokenOptions): Tokens => {
  const verifyText = async (token: string): Promise<VerifiedToken | ForeignToken | null> => {
    const payload = await payloadOf(token, keys, clock.now());
    if (payload === 'foreign key') return payload;
    const claims = payload && claimsOf(payload);
    if (claims && !isOwnIssuer(payload.iss, issuer())) return 'foreign issuer';
    return claims && { claims, expiresAt: (payload.exp ?? 0) * 1000 };
  };
  const verifier = createCachingVerifier(clock, verifyText);
  // A change may have removed a key. The tokens of a removed key must not stay in the cache.
  keys.onChange(() => verifier.forgetTokens());

  return {
    issuer,
    verify: (token) => verifier.verify(token),
    readIdToken: (token, idIssuer) => readIdToken(token, keys, [issuer(), idIssuer]),
    async sign({ subject, scopes, tenant, signIn, client, expiresInSeconds }) {
      const { kid, jwk, privateKey } = keys.current();
      const issuedAt = Math.floor(clock.now().getTime() / 1000);
      const session = signIn && { sid: signIn.sessionId, rev: signIn.accountRevision };
      const acting = client !== undefined && { client_id: client };
      return new SignJWT({ scope: [...scopes].join(' '), ...(tenant !== undefined && { tenant }), ...session, ...acting })
        .setProtectedHeader({ alg: jwk.alg, typ: TYPE, kid })
        .setSubject(subject)
        .setIssuer(issuer())
        .setAudience(AUDIENCE)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + expiresInSeconds)
        .sign(privateKey);
    },
  };
};

/**
 * Returns whether the service accepts an issuer under its own keys: its address, LOCAL_ISSUER, and any address of this machine,
 * because a folder can be served at another port than before.
 */
const isOwnIssuer = (issuer: unknown, own: string): boolean =>
  typeof issuer === 'string' && (issuer === own || issuer === LOCAL_ISSUER || LOOPBACK.test(issuer));

/** The store has no key with the key id of a token, although the key id has the form of one. */
class UnknownKey extends errors.JWKSNoMatchingKey {}

/** Returns the key of a token. For an unknown key, reads all keys again, because another process may have added the key. */
const keyFor = async (keys: TokenKeys, { kid, alg }: JWTHeaderParameters | CompactJWSHeaderParameters): Promise<KeyPair> => {
  const key = kid === undefined || typeof kid === 'string' ? keys.find(kid) : undefined;
  if (key?.jwk.alg === alg) return key;
  if (key) throw new errors.JWKSNoMatchingKey();
  if (typeof kid !== 'string' || !THUMBPRINT.test(kid)) throw new errors.JWKSNoMatchingKey();
  await keys.reload();
  const added = keys.find(kid);
  if (!added) throw new UnknownKey();
  if (added.jwk.alg !== alg) throw new errors.JWKSNoMatchingKey();
  return added;
};

/** Returns the payload of a token. The type of a token with an unknown key is only read, because no key can verify the token. */
const payloadOf = async (token: string, keys: TokenKeys, currentDate: Date): Promise<JWTPayload | 'foreign key' | null> => {
  const options = { algorithms: ALGORITHMS, typ: TYPE, audience: AUDIENCE, requiredClaims: ['exp', 'sub'], currentDate };
  try {
    const { payload } = await jwtVerify(token, async (header: JWTHeaderParameters) => (await keyFor(keys, header)).publicKey, options);
    return isFromFuture(payload, currentDate) ? null : payload;
  } catch (error) {
    // The keys could not be read, so the token may be valid.
    if (error instanceof StoreUnavailable) throw new IssuerUnavailable();
    if (error instanceof UnknownKey && decodeProtectedHeader(token).typ === TYPE) return 'foreign key';
    // Each error of jose means an invalid token.
    return null;
  }
};

/** The type of ID tokens. Without this check, an access token would count as one. */
const ID_TOKEN_TYPES: readonly unknown[] = [undefined, 'JWT'];

const readIdToken = async (token: string, keys: TokenKeys, issuers: readonly string[]): Promise<IdTokenClaims | null> => {
  if (token.length > LONGEST_TOKEN) return null;
  try {
    const find = async (header: CompactJWSHeaderParameters) => (await keyFor(keys, header)).publicKey;
    const { payload, protectedHeader } = await compactVerify(token, find, { algorithms: ALGORITHMS });
    const { iss, sub, aud, sid } = JSON.parse(new TextDecoder().decode(payload)) as Readonly<Record<string, unknown>>;
    const isOurs = ID_TOKEN_TYPES.includes(protectedHeader.typ) && issuers.some((own) => isOwnIssuer(iss, own));
    if (!isOurs || typeof sub !== 'string' || typeof aud !== 'string') return null;
    return { subject: sub, client: aud, ...(typeof sid === 'string' && { sessionId: sid }) };
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    return null;
  }
};

const claimsOf = ({ sub, scope = '', tenant, adoption, sid, rev, client_id: client }: Readonly<Record<string, unknown>>) =>
  checkClaims({ sub, scopes: typeof scope === 'string' ? scopesIn(scope) : null, tenant, adoption, sid, rev, client });
