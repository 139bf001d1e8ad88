import type { Command } from 'commander';
import { PROGRAM_NAME } from '../../terminal/installation.js';
import type { AccountChange, AccountOptions, CreateAdminOptions, EraseOptions, PasswordOptions } from './accounts.command.js';
import type { ProgramContext } from '../program-context.js';

const USERS_HELP = `
Examples:
  ${PROGRAM_NAME} users create-admin
  ${PROGRAM_NAME} users grant ann
  printf %s "$PASSWORD" | ${PROGRAM_NAME} users password ann --password-stdin

While the service runs, the commands send requests to it. Otherwise they open the store directly.
`;

const CHANGES: Readonly<Record<AccountChange, string>> = {
  grant: 'give an account the role of staff: the tokens of its later sign-ins have all scopes',
  revoke: 'revoke the role of staff from an account, and end its tokens',
  disable: 'disable an account: nobody can sign in to it, and its tokens end',
  enable: 'let the owner of a disabled account sign in again',
};

const load = () => import('./accounts.command.js');

/** Adds `petstore users` and its commands. */
export const addUsersCommands = (program: Command, { addStoreOptions, readSettings }: ProgramContext): void => {
  const users = program
    .command('users')
    .description('manage accounts, their passwords and the role of staff')
    .addHelpText('after', USERS_HELP);
  const add = (name: string): Command => addStoreOptions(users.command(name)).option('--json', 'print JSON');

  add('list')
    .description('list the accounts of a tenant')
    .action(async (options: AccountOptions) => (await load()).listAccounts(readSettings(), options));
  add('show')
    .description('show an account')
    .argument('<user>', 'the id or the username of the account')
    .action(async (user: string, options: AccountOptions) => (await load()).showAccount(readSettings(), user, options));
  for (const [name, description] of Object.entries(CHANGES) as [AccountChange, string][])
    add(name)
      .description(description)
      .argument('<user>', 'the id or the username of the account')
      .action(async (user: string, options: AccountOptions) => (await load()).changeAccount(readSettings(), name, user, options));
  add('password')
    .description('set the password of an account and end its tokens; without --password-stdin, sets and prints a random password')
    .argument('<user>', 'the id or the username of the account')
    .option('--password-stdin', 'read the password from standard input')
    .action(async (user: string, options: PasswordOptions) => (await load()).setPassword(readSettings(), user, options));
  add('erase')
    .description('permanently erase an account and all personal values that its key encrypts')
    .argument('<user>', 'the id or the username of the account')
    .option('--yes', 'confirm the erasure')
    .action(async (user: string, options: EraseOptions) => (await load()).eraseAccount(readSettings(), user, options));
  add('create-admin')
    .description('create a staff account; without --password-stdin, sets and prints a random password')
    .option('--username <name>', 'the username of the account', 'admin')
    .option('--email <address>', 'the email address of the account', 'admin@petstore.invalid')
    .option('--password-stdin', 'read the password from standard input')
    .action(async (options: CreateAdminOptions) => (await load()).createAdmin(readSettings(), options));
};

/** Adds `petstore sessions` and its commands. */
export const addSessionsCommands = (program: Command, { addStoreOptions, readSettings }: ProgramContext): void => {
  const sessions = program.command('sessions').description('list and end the sign-ins of accounts');
  const add = (name: string): Command => addStoreOptions(sessions.command(name)).option('--json', 'print JSON');

  add('list')
    .description('list the sessions of an account')
    .argument('<user>', 'the id or the username of the account')
    .action(async (user: string, options: AccountOptions) => (await load()).listAccountSessions(readSettings(), user, options));
  add('end')
    .description('end a session and its tokens')
    .argument('<session>', 'the id of the session')
    .action(async (session: string, options: AccountOptions) => (await load()).endSession(readSettings(), session, options));
};
