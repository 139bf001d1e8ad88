import type { JWTPayload } from 'jose';
import { reservedFor, type SignIn, type TokenClaims } from '../../ports/access-token.port.js';

/** Allowed difference between the clocks of issuers and verifiers, in seconds (contract 5.2). */
export const CLOCK_SKEW = 60;
/** Maximum number of characters of a subject (contract 5.2). */
const LONGEST_SUBJECT = 255;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The claims of a token before their types are checked. */
export type UncheckedClaims = {
  readonly sub: unknown;
  /** Null if the claim with the scopes has the wrong type. */
  readonly scopes: readonly string[] | null;
  readonly tenant: unknown;
  readonly adoption?: unknown;
  readonly client?: unknown;
} & UncheckedSignIn;

type UncheckedSignIn = { readonly sid?: unknown; readonly rev?: unknown };

/**
 * Returns the claims, or null if a claim has the wrong type. An invalid tenant must not be ignored: a token without a
 * tenant is valid for every tenant.
 */
export const checkClaims = ({ sub, scopes, tenant, adoption, client, ...others }: UncheckedClaims): TokenClaims | null => {
  if (typeof sub !== 'string' || !isSubject(sub) || !scopes) return null;
  const signIn = signInOf(others);
  if (signIn === null) return null;
  // An earlier version issued tokens of adoption applications as JWTs. They must not count as tokens of a user.
  if (adoption !== undefined) return null;
  if (client !== undefined && typeof client !== 'string') return null;
  if (![null, client].includes(reservedFor(sub))) return null;
  const claims = {
    subject: sub,
    scopes: new Set(scopes),
    ...(signIn && { signIn }),
    ...(client !== undefined && { client }),
  };
  if (tenant === undefined) return claims;
  return isUuid(tenant) ? { ...claims, tenant: tenant.toLowerCase() } : null;
};

const isUuid = (claim: unknown): claim is string => typeof claim === 'string' && UUID.test(claim);

/**
 * Returns the sign-in of a token, undefined for a token that an operator made, or null if a claim has the wrong type. An
 * invalid claim must not be ignored: without a sign-in, the token would remain valid after the session's end (contract 30.10).
 */
const signInOf = ({ sid, rev }: UncheckedSignIn): SignIn | undefined | null => {
  if (sid === undefined && rev === undefined) return undefined;
  return typeof sid === 'string' && typeof rev === 'number' ? { sessionId: sid, accountRevision: rev } : null;
};

/** Returns the scopes in a text that separates them by spaces. */
export const scopesIn = (text: string): readonly string[] => text.split(' ').filter(Boolean);

/** Returns whether the issue time of a token is further in the future than clocks may differ (contract 5.2). */
export const isFromFuture = ({ iat }: JWTPayload, now: Date): boolean => iat !== undefined && iat > now.getTime() / 1000 + CLOCK_SKEW;

/** Callers without a token act as `anonymous`, so no subject may have that name. */
const isSubject = (text: string): boolean =>
  text !== 'anonymous' && text.length <= LONGEST_SUBJECT && text.isWellFormed() && /^\P{Cc}+$/u.test(text);
