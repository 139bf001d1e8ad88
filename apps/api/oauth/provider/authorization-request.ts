import { addDefaultScope } from './default-scope.js';
import { FORM_POST } from './form-post.js';

/** The parameters that an error needs to reach the client. */
const FOR_ERRORS = ['client_id', 'redirect_uri', 'state', 'response_mode'];

/** A response type and a response mode that oidc-provider does not know, and so rejects. */
const UNSUPPORTED = 'unsupported';

/** Returns whether a browser can send a form to the redirect URI. */
const isWeb = (sent: URLSearchParams): boolean => /^https?:/i.test(sent.get('redirect_uri') ?? '');

/**
 * Returns the address of an authorization request as oidc-provider reads it (contract 32.2). oidc-provider would put errors of response
 * types with tokens into a fragment, which the server of the client cannot see. `url` is a path with a query.
 */
export const authorizationUrl = (url: string): string => {
  // The base `http://petstore` is not used. `URL` needs a base to parse a path.
  const { pathname, searchParams } = new URL(url, 'http://petstore');
  const sent = hasUnknownType(searchParams) ? withUnknownType(searchParams) : searchParams;
  const [mode, ...others] = sent.getAll('response_mode');
  // oidc-provider rejects a parameter that was sent twice.
  if (mode !== undefined && others.length === 0) sent.set('response_mode', knownMode(mode, sent));
  return `${pathname}?${addDefaultScope(sent).toString()}`;
};

/** Returns the response mode as oidc-provider knows it. The mode `fragment` is for tokens, and FORM_POST is no name for clients. */
const knownMode = (mode: string, sent: URLSearchParams): string => {
  if (mode === 'form_post' && isWeb(sent)) return FORM_POST;
  return ['form_post', 'fragment', FORM_POST].includes(mode) ? UNSUPPORTED : mode;
};

const hasUnknownType = (sent: URLSearchParams): boolean => {
  const types = sent
    .getAll('response_type')
    .flatMap((text) => text.split(' '))
    .filter(Boolean);
  return types.some((type) => type !== 'code');
};

/** Returns a request that oidc-provider rejects for its response type, before it reads anything else. */
const withUnknownType = (sent: URLSearchParams): URLSearchParams => {
  const kept = new URLSearchParams({ response_type: UNSUPPORTED });
  // A parameter that was sent twice is copied twice, so that oidc-provider rejects it (RFC 6749, 3.1).
  for (const name of FOR_ERRORS)
    for (const value of sent.getAll(name)) if (name !== 'response_mode' || (value === 'form_post' && isWeb(sent))) kept.append(name, value);
  return kept;
};
