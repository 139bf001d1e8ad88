import { ADDRESSES } from '../addresses.js';
import { addDefaultScope } from './default-scope.js';

/**
 * The response mode of the classic implicit flow (contract 32.6). Only clients that are registered for the flow may use the
 * mode, also in a request to `/oauth/authorize`.
 */
export const IMPLICIT_MODE = 'classic-implicit';

/** The warning in the log about the risk of the flow. It is logged at each start. */
export const IMPLICIT_WARNING =
  'CLASSIC_IMPLICIT_FLOW is on: access tokens appear in addresses, and stay in the history of browsers and in referrers. RFC 9700, 2.1.2, advises against it.';

/** The parameters that the flow has (RFC 6749, 4.2.1), besides `response_type`. */
const PARAMETERS = ['client_id', 'redirect_uri', 'scope', 'state'];

/**
 * The PKCE challenge of each code: 32 zero bytes in base64url. Nobody knows a verifier with this digest, so no client can
 * exchange the code.
 */
const CHALLENGE = 'A'.repeat(43);

/**
 * Converts the URL of a request for the implicit flow to the URL of a request for a code. Both flows then have the same
 * checks and pages. Both URLs are paths with a query.
 */
export const implicitRequestUrl = (url: string): string => {
  const parameters = new URL(url, 'http://petstore').searchParams;
  const sent = new URLSearchParams({ response_mode: IMPLICIT_MODE, code_challenge: CHALLENGE, code_challenge_method: 'S256' });
  for (const type of parameters.getAll('response_type')) sent.append('response_type', type === 'token' ? 'code' : 'unsupported');
  // A parameter that was sent twice is copied twice, so that oidc-provider rejects it (RFC 6749, 3.1).
  for (const name of PARAMETERS) for (const value of parameters.getAll(name)) sent.append(name, value);
  return `${ADDRESSES.authorize}?${addDefaultScope(sent).toString()}`;
};
