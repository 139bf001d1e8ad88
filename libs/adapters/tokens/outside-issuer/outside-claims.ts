import type { JWTPayload } from 'jose';
import type { TokenClaims } from '../../../ports/access-token.port.js';
import { checkClaims, scopesIn } from '../claims.js';

/** The names of the claims that differ between issuers. */
export type ClaimNames = { readonly scopeClaim: string; readonly tenantClaim: string };

/** Claims of ID tokens and logout tokens, which no access token has (OpenID Connect Core 1.0, 3.1.3.6). */
const NOT_IN_ACCESS_TOKENS = ['at_hash', 'c_hash', 'events'];

/**
 * Returns the claims of an issuer's token in the form of this service. Returns null for a token that is no access token, or
 * if a claim has the wrong type.
 */
export const outsideClaims = (payload: JWTPayload, { scopeClaim, tenantClaim }: ClaimNames): TokenClaims | null =>
  NOT_IN_ACCESS_TOKENS.some((name) => Object.hasOwn(payload, name))
    ? null
    : checkClaims({ sub: payload.sub, scopes: scopeList(claimAt(payload, scopeClaim)), tenant: claimAt(payload, tenantClaim) });

/**
 * Returns the claim with this name. If there is none, reads the name as a path: `realm_access.roles` is the member `roles` of
 * `realm_access` (contract 33.2). Returns undefined if the path leads to no claim. Returns null if the path leads through a
 * value that is no object. `checkClaims` then rejects the token.
 */
const claimAt = (payload: JWTPayload, name: string): unknown => {
  if (Object.hasOwn(payload, name)) return payload[name];
  let value: unknown = payload;
  for (const part of name.split('.')) {
    if (value === undefined) return undefined;
    if (typeof value !== 'object' || value === null) return null;
    value = Object.hasOwn(value, part) ? (value as Readonly<Record<string, unknown>>)[part] : undefined;
  }
  return value;
};

/** Returns the scopes in a text or a list of texts, no scopes for an absent claim, and null for any other value. */
const scopeList = (value: unknown): readonly string[] | null => {
  if (value === undefined) return [];
  if (typeof value === 'string') return scopesIn(value);
  return Array.isArray(value) && value.every((scope) => typeof scope === 'string') ? value : null;
};
