import type { ClientMetadata } from 'oidc-provider';
import { CONSOLE_CLIENT_ID } from '../../../../libs/ports/access-token.port.js';
import { FORM_POST } from './form-post.js';

/** The id of the client of the page /docs (contract 32.7). Every service has it, and nobody registers it. */
export const DOCS_CLIENT_ID = 'docs';

/** The path of the page to which the browser returns after a sign-in on /docs. */
export const DOCS_RETURN_PATH = '/docs/signed-in';

/** The path of the page to which the browser returns after a sign-in in the console (contract 43.11). */
export const CONSOLE_RETURN_PATH = '/ops/signed-in';

/** Returns the metadata of the clients of the service's own pages. Nobody registers them, and all accounts are in the shared pool. */
export const pageClients = (publicUrl: string): ClientMetadata[] => [
  { ...pageClient(publicUrl + DOCS_RETURN_PATH), client_id: DOCS_CLIENT_ID, client_name: 'the page /docs' },
  { ...pageClient(publicUrl + CONSOLE_RETURN_PATH), client_id: CONSOLE_CLIENT_ID, client_name: 'the console' },
];

/** A page gets no refresh token, so its access ends with the access token. */
const pageClient = (redirectUri: string): Omit<ClientMetadata, 'client_id'> => ({
  redirect_uris: [redirectUri],
  application_type: 'web',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  response_modes: ['query', FORM_POST],
  token_endpoint_auth_method: 'none',
});
