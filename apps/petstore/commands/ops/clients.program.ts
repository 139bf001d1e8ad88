import type { Command } from 'commander';
import { PROGRAM_NAME } from '../../terminal/installation.js';
import type { ClientOptions, NewClientOptions } from './clients.command.js';
import type { ProgramContext } from '../program-context.js';

const CLIENTS_HELP = `
Examples:
  ${PROGRAM_NAME} clients add --name "Pet Finder" --redirect-uri https://finder.example.com/signed-in --confidential
  ${PROGRAM_NAME} clients add --name "Kiosk" --device
  ${PROGRAM_NAME} clients add --name "Stock sync" --program --scope write:pets

While the service runs, the commands send requests to it. Otherwise they open the store directly.
`;

const load = () => import('./clients.command.js');

/** Adds `petstore clients` and its commands. */
export const addClientsCommands = (program: Command, { addStoreOptions, readSettings }: ProgramContext): void => {
  const clients = program
    .command('clients')
    .description('manage the OAuth clients of the authorization server under /oauth')
    .addHelpText('after', CLIENTS_HELP);
  const add = (name: string): Command => addStoreOptions(clients.command(name));

  add('add')
    .description(
      'register an OAuth client; prints its id, and the secret of a program or a confidential client, as JSON; shows the secret only once',
    )
    .requiredOption('--name <name>', 'the name that people see when they sign in')
    .option(
      '--redirect-uri <uris...>',
      'URIs to which browsers return after sign-in; a sign-in request names one of them; a loopback address matches with any port',
      [],
    )
    .option('--post-logout-redirect-uri <uris...>', 'URIs to which browsers may return after a sign-out', [])
    .option('--device', 'the client may use device codes')
    .option('--confidential', 'the client has a secret')
    .option('--program', 'the client is a program, which gets tokens for itself with its secret')
    .option('--scope <scopes...>', 'the scopes of a program', [])
    .option('--implicit', 'the client may use the implicit flow while CLASSIC_IMPLICIT_FLOW is on')
    .action(async (options: NewClientOptions) => (await load()).addClient(readSettings(), options));
  add('list')
    .description('list the OAuth clients of a tenant')
    .option('--json', 'print JSON')
    .action(async (options: ClientOptions) => (await load()).listClients(readSettings(), options));
  add('secret')
    .description('give an OAuth client a new secret; the former one stays valid for 24 hours; prints the secret as JSON, only once')
    .argument('<client>', 'the id of the client')
    .action(async (client: string, options: ClientOptions) => (await load()).rotateClientSecret(readSettings(), client, options));
  add('remove')
    .description('remove an OAuth client; the client gets no more tokens')
    .argument('<client>', 'the id of the client')
    .option('--json', 'print JSON')
    .action(async (client: string, options: ClientOptions) => (await load()).removeClient(readSettings(), client, options));
};
