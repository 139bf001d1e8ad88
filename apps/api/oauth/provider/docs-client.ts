import { FORM_POST } from './form-post.js';
import type { ClientMetadata } from 'oidc-provider';

/** The id of the client of the page /docs (contract 32.7). Every service has it, and nobody registers it. */
export const DOCS_CLIENT_ID = 'docs';

/** The path of the page to which the browser returns after a sign-in on /docs. */
export const DOCS_RETURN_PATH = '/docs/signed-in';

/** Returns the metadata of the client of the page /docs. It gets no refresh token, so its access ends with the access token. */
export const docsClient = (publicUrl: string): ClientMetadata => ({
  client_id: DOCS_CLIENT_ID,
  client_name: 'the page /docs',
  redirect_uris: [publicUrl + DOCS_RETURN_PATH],
  application_type: 'web',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  response_modes: ['query', FORM_POST],
  token_endpoint_auth_method: 'none',
});
