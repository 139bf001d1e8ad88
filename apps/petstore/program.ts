import { Command, InvalidArgumentError, Option } from 'commander';
import { resolve } from 'node:path';
import { DEFAULT_URL, parseSettings } from '../../libs/settings/settings.js';
import { UUID } from '../api/http/patterns.js';
import { ROLES } from '../worker/role-names.js';
import type { BackupOptions } from './commands/backup.command.js';
import { describeTriggers } from './client/trigger-scenarios.js';
import { CommandError } from './errors/command-error.js';
import type { ListenOptions } from './commands/listen.command.js';
import type { ReplayOptions } from './commands/replay.command.js';
import type { SeedOptions } from './commands/seed.command.js';
import type { TokenOptions } from './commands/token.command.js';
import type { TriggerOptions } from './commands/trigger.command.js';

const parsePositive = (text: string): number => {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) throw new InvalidArgumentError('must be a whole number of at least 1');
  return count;
};

const parseWholeNumber = (text: string): number => {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 0) throw new InvalidArgumentError('must be a whole number');
  return count;
};

/** As X-Tenant-ID is read: in lower case, so that what is written here is found there. */
const parseTenant = (text: string): string => {
  if (!UUID.test(text)) throw new CommandError(`--tenant: ${text} is not a UUID`);
  return text.toLowerCase();
};

/** A path as its writer means it: npm runs scripts in the package's folder, and says where it was called. */
const resolvePath = (path: string): string => {
  // As a shell's variable that is not set: the folder that the caller happens to be in is not what was meant.
  if (path === '') throw new CommandError('the name of the backup is empty: say the path of a folder, as ../backup');
  return path === ':memory:' ? path : resolve(process.env['INIT_CWD'] ?? '.', path);
};

const readSettings = () => parseSettings(process.env);

// Each command is imported when it is asked for: a web framework takes longer to load than a token to make.
// Named as it is typed.
/** The command line. What is mistyped is thrown as a CommanderError, once it is printed. */
export const program = new Command('npm run petstore --')
  .description('An event-sourced pet store. Settings are environment variables; docs/configuration.md lists them.')
  .exitOverride((error) => {
    throw error;
  });

const LISTEN_EXAMPLES = `
Examples:
  npm run petstore -- listen --forward-to http://127.0.0.1:4000/hook
  npm run petstore -- listen --forward-to http://127.0.0.1:4000/hook --events order.statusChanged,payment.succeeded --ordered

It registers an endpoint and removes it at the end. Killed outright it cannot: the next listen or replay on this machine does.
`;
const TRIGGER_EXAMPLES = `
Examples:
  npm run petstore -- trigger payment.succeeded
  npm run petstore -- trigger webhook.test --webhook 0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c93
`;
const REPLAY_EXAMPLES = `
Examples:
  npm run petstore -- replay --since 15m --to http://127.0.0.1:4000/hook
  npm run petstore -- replay --since 2026-01-02T00:00:00Z --until 2026-01-03T00:00:00Z --to https://shop.example.com/hooks

Every event has the webhook-id that it had: a receiver can tell what it has seen. What happens meanwhile is sent, too.
`;

/** Which store a command talks to, and as whom. */
const addStoreOptions = (command: Command): Command =>
  command
    .option('--url <address>', `a running store, as ${DEFAULT_URL}; the one on DATA_DIR when left out`)
    .addOption(
      // An argument shows in the list of processes, a variable does not.
      new Option('--token <token>', 'a token of that store; made from the keys in DATA_DIR when left out').env('PETSTORE_TOKEN'),
    )
    .option('--tenant <uuid>', 'in whose part of the store', parseTenant);

program
  .command('start')
  .description('open the store on DATA_DIR and serve it on HOST and PORT until SIGINT or SIGTERM')
  .action(async () => (await import('./commands/start.command.js')).startCommand(readSettings()));

program
  .command('api')
  .description('several machines: serve the interface on HOST and PORT, as one of any number of processes')
  .action(async () => (await import('./commands/api.command.js')).apiCommand(readSettings()));

program
  .command('worker')
  .description('several machines: do the work behind the interface, as one of any number of processes')
  .option('--roles <names>', `what it does, separated by commas: ${ROLES.join(', ')}`, ROLES.join(','))
  .action(async (options: { roles: string }) => {
    const { parseRoles: rolesFrom, workerCommand } = await import('./commands/worker.command.js');
    await workerCommand(readSettings(), rolesFrom(options.roles));
  });

program
  .command('token')
  .description('print an access token; works while the store runs, too')
  .requiredOption('--scope <scopes>', 'what it allows, separated by spaces: "write:pets read:pets"')
  .option('--subject <id>', 'whom it names', 'staff')
  .option('--tenant <uuid>', 'bind it to one tenant', parseTenant)
  .option('--expires-in <seconds>', 'how long it is good for', parsePositive, 3600)
  .action(async (options: TokenOptions) => (await import('./commands/token.command.js')).tokenCommand(readSettings(), options));

addStoreOptions(program.command('seed'))
  .description('fill the store on DATA_DIR, running or not, with believable pets; by --url another one that runs')
  .option('--pets <count>', 'how many', parsePositive, 1000)
  .option('--seed <number>', 'the same number makes the same pets', parseWholeNumber, 1)
  .action(async (options: SeedOptions) => (await import('./commands/seed.command.js')).seedCommand(readSettings(), options));

addStoreOptions(program.command('listen'))
  .description('have a running store post new events to a local address, signed, until Ctrl-C; says what came of each attempt')
  .requiredOption('--forward-to <address>', 'where to, as the store reaches it: http://127.0.0.1:4000/hook')
  .option('--events <names>', 'only these, separated by commas; all when left out')
  .option('--ordered', 'what happens to one order, payment or pet in its order, one at a time')
  .addHelpText('after', LISTEN_EXAMPLES)
  .action(async (options: ListenOptions) => (await import('./commands/listen.command.js')).listenCommand(readSettings(), options));

addStoreOptions(program.command('trigger'))
  .description('make an event really happen in a running store, as a client would; what is made for it stays there')
  .argument('<event>', 'which one')
  .option('--webhook <id>', 'the endpoint that webhook.test goes to')
  .addHelpText('after', `${describeTriggers()}${TRIGGER_EXAMPLES}`)
  .action(async (event: string, options: TriggerOptions) =>
    (await import('./commands/trigger.command.js')).triggerCommand(readSettings(), event, options),
  );

addStoreOptions(program.command('replay'))
  .description('have a running store send what happened since then to an address once more, signed; ends with 1 if any was not delivered')
  .requiredOption('--since <time>', 'from when on: 2026-01-02T03:04:05Z, or how long ago, as 15m, 2h or 3d')
  .option('--until <time>', 'until when, likewise; until now when left out')
  .requiredOption(
    '--to <address>',
    'where to, as the store reaches it; an endpoint that is registered for it is used, else one is made for the time',
  )
  .option('--events <names>', 'only these, separated by commas, from an endpoint of their own')
  .option('--wait <time>', 'how long to wait for what is tried again, at most', '1h')
  .addHelpText('after', REPLAY_EXAMPLES)
  .action(async (options: ReplayOptions) => (await import('./commands/replay.command.js')).replayCommand(readSettings(), options));

program
  .command('backup')
  .description('copy the store on DATA_DIR into an empty folder, also while it runs')
  .argument('<directory>', 'where to; made when it is missing')
  .option('--as-evidence', 'copy a store whose history was altered all the same, and say so in the copy')
  .action(async (directory: string, options: BackupOptions) =>
    (await import('./commands/backup.command.js')).backupCommand(readSettings(), resolvePath(directory), options),
  );

program
  .command('restore')
  .description('copy a backup into DATA_DIR, which must be empty')
  .argument('<directory>', 'the backup')
  .action(async (directory: string) =>
    (await import('./commands/backup.command.js')).restoreCommand(readSettings(), resolvePath(directory)),
  );

program
  .command('copy')
  .description('carry the store on DATA_DIR over to several machines; it must not be running. Stopped half-way, it goes on from there')
  .requiredOption('--to <profile>', 'where to: "distributed", on the servers that EVENTSTOREDB_URL, MONGODB_URL and KAFKA_BROKERS name')
  .action(async (options: { to: string }) => (await import('./commands/copy.command.js')).copyCommand(readSettings(), options.to));

program
  .command('projections')
  .description('work on the read models')
  .command('rebuild')
  .description(
    'make all read models anew from the log; the store must not be running, except on several machines. Stopped half-way, it goes on from there',
  )
  .option('--accept-altered', 'put the result in service though streams that were altered are missing from it')
  .action(async ({ acceptAltered = false }: { acceptAltered?: boolean }) =>
    (await import('./commands/projections.command.js')).projectionsCommand(readSettings(), acceptAltered),
  );

program
  .command('topics')
  .description('work on the Kafka topics')
  .command('republish')
  .description(
    'several machines: publish the whole log again, under the same ids, once Kafka has lost its topics; workers with the role relay must not be running',
  )
  .action(async () => (await import('./commands/topics.command.js')).topicsCommand(readSettings()));

/** A mistyped command points to its own help, not to the help of all commands. */
const addHelpHint = (command: Command, typed = command.name()): void => {
  command.showHelpAfterError(`(${typed} --help says more)`);
  for (const part of command.commands) addHelpHint(part, `${typed} ${part.name()}`);
};
addHelpHint(program);
