import type { KoaContextWithOIDC } from 'oidc-provider';
import { StoreUnavailable } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import { IssuerUnavailable, RevocationsUnavailable } from '../../../../libs/ports/access-token.port.js';
import { HasherBusy } from '../../../../libs/ports/password-hasher.port.js';
import { PROBLEMS } from '../../http/problems/problem-kinds.js';
import { errorHtml } from '../pages/error-page.js';

/** The code of RFC 6749, 4.1.2.1, for a request that may succeed later. */
export const UNAVAILABLE = 'temporarily_unavailable';

/** The seconds after which a client may try again. */
export const UNAVAILABLE_SECONDS = String(PROBLEMS['temporarily-unavailable'].retryAfter);

/**
 * Returns whether the same request may succeed later: a server of the store is down, the keys of a token's issuer or the ends of
 * tokens cannot be read, or too many passwords wait to be hashed (contract 24.7, 30.3).
 */
export const isUnavailable = (failure: unknown): boolean =>
  [StoreUnavailable, IssuerUnavailable, RevocationsUnavailable, HasherBusy].some((kind) => failure instanceof kind);

/** Changes the answer to 503 (contract 24.7). While a server of the store is down, oidc-provider itself answers 500. */
export const answerUnavailable = (ctx: KoaContextWithOIDC): void => {
  // A status below 400 is a redirect, which already sends the error to the client.
  if (ctx.status < 400) return;
  ctx.status = 503;
  ctx.set('retry-after', UNAVAILABLE_SECONDS);
  const isPage = ctx.accepts('json', 'html') === 'html';
  if (isPage) ctx.type = 'html';
  ctx.body = isPage ? errorHtml(UNAVAILABLE) : { error: UNAVAILABLE, error_description: 'the store is not available' };
};
