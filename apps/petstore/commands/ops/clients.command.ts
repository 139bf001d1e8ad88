import type { OauthClient, RegisteredClient, RotatedClient } from '../../../api/clients/client.dto.js';
import { UUID } from '../../../api/http/patterns.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import type { ServiceOptions } from '../../client/service-client.js';
import { CommandError } from '../../errors/command-error.js';
import { formatTable } from '../../terminal/table.js';
import { TOKEN_SCOPES } from '../../terminal/token-scopes.js';
import { readAll } from './read-all.js';
import { runAsCaller, runAsOperator } from './run-as-operator.js';

/** The options of all commands for clients. */
export type ClientOptions = ServiceOptions & { readonly json?: boolean };

/** The options of `petstore clients add`. */
export type NewClientOptions = ServiceOptions & {
  readonly name: string;
  readonly redirectUri: readonly string[];
  readonly postLogoutRedirectUri: readonly string[];
  readonly device?: boolean;
  readonly confidential?: boolean;
  readonly implicit?: boolean;
  readonly program?: boolean;
  readonly scope: readonly string[];
};

/** The subject of the commands' token. */
const SUBJECT = 'clients';

/** Registers a client, and prints its id as JSON. Prints the secret too if the client is confidential. */
export const addClient = (settings: Settings, options: NewClientOptions): Promise<void> =>
  runAsCaller(settings, options, { subject: SUBJECT, scope: [...new Set(['ops', ...options.scope])].join(' ') }, async ({ request }) => {
    const { name, redirectUri: redirectUris, postLogoutRedirectUri: postLogoutRedirectUris } = options;
    const { device = false, confidential = false, implicit = false } = options;
    const body = {
      ...{ name, redirectUris, device, confidential, implicit },
      ...(postLogoutRedirectUris.length > 0 && { postLogoutRedirectUris }),
      ...(options.program && { program: true, confidential: true, scopes: options.scope }),
    };
    const { id, secret } = (await request<RegisteredClient>('POST', '/v1/ops/clients', body)).json;
    const printed = { clientId: id, ...(secret !== undefined && { clientSecret: secret }) };
    process.stdout.write(`${JSON.stringify(printed)}\n`);
  });

/** Prints the clients of a tenant. */
export const listClients = (settings: Settings, options: ClientOptions): Promise<void> =>
  runAsOperator(settings, options, SUBJECT, async (client) => {
    const clients = await readAll<OauthClient>(client, '/v1/ops/clients');
    const rows = clients.map(({ id, name, redirectUris, scopes, createdAt }) => [
      ...[id, name, redirectUris.join(' ') || '-', scopes.join(' ') || '-', createdAt],
    ]);
    const table = formatTable([['ID', 'NAME', 'REDIRECT URIS', 'SCOPES', 'CREATED'], ...rows]);
    process.stdout.write(options.json ? `${JSON.stringify(clients)}\n` : table);
  });

/** Gives a client a new secret, and prints it as JSON. The former one stays valid for a day (contract 32.4). */
export const rotateClientSecret = (settings: Settings, id: string, options: ClientOptions): Promise<void> =>
  runAsCaller(settings, options, { subject: SUBJECT, scope: Object.keys(TOKEN_SCOPES).join(' ') }, async ({ request }) => {
    requireClientId(id);
    const { secret, formerSecretValidUntil } = (await request<RotatedClient>('POST', `/v1/ops/clients/${id}/secret`)).json;
    process.stdout.write(`${JSON.stringify({ clientId: id, clientSecret: secret, formerSecretValidUntil })}\n`);
  });

const requireClientId = (id: string): void => {
  if (!UUID.test(id)) throw new CommandError(`${id} is not the id of a client; "clients list" shows the ids`);
};

/** Removes a client. A removed client gets no more tokens (contract 32.4). */
export const removeClient = (settings: Settings, id: string, options: ClientOptions): Promise<void> =>
  runAsOperator(settings, options, SUBJECT, async ({ request }) => {
    requireClientId(id);
    await request('DELETE', `/v1/ops/clients/${id}`);
    process.stdout.write(options.json ? `${JSON.stringify({ id })}\n` : `The client ${id} is removed, and gets no more tokens.\n`);
  });
