import type { Account, AccountCollection } from '../../../api/ops/users/account.dto.js';
import type { SessionCollection } from '../../../api/sign-in/session.dto.js';
import { UUID } from '../../../api/http/patterns.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import type { ServiceClient, ServiceOptions } from '../../client/service-client.js';
import { CommandError } from '../../errors/command-error.js';
import { createPassword } from '../../composition/passwords.js';
import { formatTable } from '../../terminal/table.js';
import { readAll } from './read-all.js';
import { runAsOperator } from './run-as-operator.js';

/** The options of all commands for accounts. */
export type AccountOptions = ServiceOptions & { readonly json?: boolean };

/** The options of `petstore users erase`. `yes` confirms the erasure. */
export type EraseOptions = AccountOptions & { readonly yes?: boolean };

/** The options of the commands that set a password. */
export type PasswordOptions = AccountOptions & { readonly passwordStdin?: boolean };

/** The options of `petstore users create-admin`. */
export type CreateAdminOptions = PasswordOptions & { readonly username: string; readonly email: string };

type Client = Pick<ServiceClient, 'request'>;

/** The subject of the commands' token. */
const SUBJECT = 'users';

const run = <T>(settings: Settings, options: AccountOptions, work: (client: Client) => Promise<T>): Promise<T> =>
  runAsOperator(settings, options, SUBJECT, work);

const print = ({ json }: AccountOptions, value: unknown, text: string): void =>
  void process.stdout.write(json ? `${JSON.stringify(value)}\n` : text);

/** Finds an account by its id or its username. Throws CommandError if no account of the tenant has this username. */
const findAccount = async (client: Client, name: string): Promise<Account> => {
  if (UUID.test(name)) return (await client.request<Account>('GET', `/v1/ops/users/${name}`)).json;
  const found = await client.request<AccountCollection>('GET', `/v1/ops/users?username=${encodeURIComponent(name)}`);
  const [account] = found.json.data;
  if (!account) throw new CommandError(`no account has the username ${name}; "users list" shows all, --tenant chooses the tenant`);
  return account;
};

const statusOf = ({ staff, disabled }: Account): string => [staff && 'staff', disabled && 'disabled'].filter(Boolean).join(', ') || 'user';

/** Prints all accounts of a tenant. */
export const listAccounts = (settings: Settings, options: AccountOptions): Promise<void> =>
  run(settings, options, async (client) => {
    const accounts = await readAll<Account>(client, '/v1/ops/users');
    const rows = accounts.map((account) => [account.id, account.username, account.email, statusOf(account), account.createdAt]);
    print(options, accounts, formatTable([['ID', 'USERNAME', 'EMAIL', 'STATUS', 'CREATED'], ...rows]));
  });

/** Prints one account. */
export const showAccount = (settings: Settings, name: string, options: AccountOptions): Promise<void> =>
  run(settings, options, async (client) => {
    const account = await findAccount(client, name);
    const lines = Object.entries(account).map(([field, value]) => [field, String(value)]);
    print(options, account, formatTable(lines));
  });

/** The request for each change of an account's status. `done` ends the sentence `The account NAME …`, which is then printed. */
const CHANGES = {
  grant: { method: 'PUT', part: 'staff', done: 'is staff from the next sign-in on' },
  revoke: { method: 'DELETE', part: 'staff', done: 'is no longer staff; its tokens have ended' },
  disable: { method: 'PUT', part: 'disabled', done: 'is disabled; its tokens have ended' },
  enable: { method: 'DELETE', part: 'disabled', done: 'can sign in again' },
} as const;

/** The name of a change of an account's status. */
export type AccountChange = keyof typeof CHANGES;

/** Changes the status of an account. */
export const changeAccount = (settings: Settings, change: AccountChange, name: string, options: AccountOptions): Promise<void> =>
  run(settings, options, async (client) => {
    const { id, username } = await findAccount(client, name);
    const { method, part, done } = CHANGES[change];
    await client.request(method, `/v1/ops/users/${id}/${part}`);
    const account = (await client.request<Account>('GET', `/v1/ops/users/${id}`)).json;
    print(options, account, `The account ${username} ${done}.\n`);
  });

/** Erases an account permanently, with all personal values that its key encrypts (contract 38.1). */
export const eraseAccount = (settings: Settings, name: string, { yes = false, ...options }: EraseOptions): Promise<void> =>
  run(settings, options, async (client) => {
    const { id, username } = await findAccount(client, name);
    if (!yes)
      throw new CommandError(
        `nothing was erased. The personal values of the account ${username} (${id}) would be lost permanently: pass --yes to erase them`,
      );
    await client.request('DELETE', `/v1/users/${id}`);
    print(options, { id }, `The account ${id} is erased, and its tokens have ended.\n`);
  });

/**
 * Sets the password of an account. With `--password-stdin`, reads the password from standard input. Without this option, sets
 * and prints a random password.
 */
export const setPassword = (settings: Settings, name: string, options: PasswordOptions): Promise<void> =>
  run(settings, options, async (client) => {
    const { id, username } = await findAccount(client, name);
    const { password, isRandom } = await choosePassword(options);
    await client.request('PUT', `/v1/ops/users/${id}/password`, { password });
    const result = isRandom ? { id, username, password } : { id, username };
    print(options, result, `The account ${username} has a new password${isRandom ? `: ${password}` : ''}\nIts tokens have ended.\n`);
  });

/** Creates a staff account. Its password is chosen as in `setPassword`. */
export const createAdmin = (settings: Settings, options: CreateAdminOptions): Promise<void> =>
  run(settings, options, async (client) => {
    const { username, email } = options;
    const { password, isRandom } = await choosePassword(options);
    const body = { username, email, password, staff: true };
    const { id } = (await client.request<Account>('POST', '/v1/ops/users', body)).json;
    const result = isRandom ? { id, username, password } : { id, username };
    print(options, result, `The staff account ${username} was created${isRandom ? `. Its password, shown only now: ${password}` : ''}\n`);
  });

/** Prints the sessions of an account. */
export const listAccountSessions = (settings: Settings, name: string, options: AccountOptions): Promise<void> =>
  run(settings, options, async (client) => {
    const { id } = await findAccount(client, name);
    const sessions = await readAll<SessionCollection['data'][number]>(client, `/v1/ops/users/${id}/sessions`);
    const rows = sessions.map((session) => [session.id, session.clientId ?? '-', session.createdAt, session.expiresAt]);
    print(options, sessions, formatTable([['ID', 'CLIENT', 'CREATED', 'EXPIRES'], ...rows]));
  });

/** Ends a session and the tokens of its sign-in. */
export const endSession = (settings: Settings, id: string, options: AccountOptions): Promise<void> =>
  run(settings, options, async (client) => {
    if (!UUID.test(id)) throw new CommandError(`${id} is not the id of a session; "sessions list" shows the ids`);
    await client.request('DELETE', `/v1/ops/sessions/${id}`);
    print(options, { id }, `The session ${id} has ended, and its tokens with it.\n`);
  });

/**
 * With `--password-stdin`, returns the text on standard input. Without this option, returns a random password. No option takes
 * the password itself, because other users of the machine can read the arguments of a process.
 */
const choosePassword = async ({ passwordStdin }: PasswordOptions): Promise<{ readonly password: string; readonly isRandom: boolean }> => {
  if (!passwordStdin) return { password: createPassword(), isRandom: true };
  let text = '';
  for await (const part of process.stdin) text += String(part);
  const password = text.replace(/\r?\n$/, '');
  if (password === '')
    throw new CommandError('--password-stdin: standard input is empty; for example: printf %s "$PASSWORD" | petstore users …');
  return { password, isRandom: false };
};
