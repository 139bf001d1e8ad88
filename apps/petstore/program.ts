import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { resolve } from 'node:path';
import { DEFAULT_URL, parseSettings } from '../../libs/settings/settings.js';
import { UUID } from '../api/http/patterns.js';
import { VERSION } from '../api/installed.js';
import { ROLES } from '../worker/role-names.js';
import type { BackupOptions, RestoreOptions } from './commands/backup.command.js';
import { describeScopes } from './terminal/token-scopes.js';
import type { CheckedProcess } from './client/check-health.js';
import { parseDuration } from './client/time-options.js';
import { describeTriggers } from './client/trigger-scenarios.js';
import { CommandError } from './errors/command-error.js';
import type { ListenOptions } from './commands/listen.command.js';
import type { ReplayOptions } from './commands/replay.command.js';
import type { SeedOptions } from './commands/seed.command.js';
import type { TokenOptions } from './commands/token.command.js';
import type { TriggerOptions } from './commands/trigger.command.js';
import type { ProgramContext } from './commands/program-context.js';
import { addDoctorCommand } from './commands/doctor/doctor.program.js';
import { addErasuresCommands } from './commands/erasures/erasures.program.js';
import { addAuditCommands } from './commands/audit/audit.program.js';
import { addSessionsCommands, addUsersCommands } from './commands/ops/accounts.program.js';
import { addAdoptionsCommands } from './commands/erasures/adoptions.program.js';
import { addClientsCommands } from './commands/ops/clients.program.js';
import { addHistoryCommand } from './commands/ops/history.program.js';
import { addKeysCommands } from './commands/ops/keys.program.js';
import { addProjectionsCommands } from './commands/projections/projections.program.js';
import { addParkedCommands } from './commands/ops/parked.program.js';
import { addStuckCommand } from './commands/ops/stuck.program.js';
import { addTopicsCommands } from './commands/topics/topics.program.js';
import { PROGRAM_NAME } from './terminal/installation.js';

const parsePositive = (text: string): number => {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) throw new InvalidArgumentError('must be a whole number of at least 1');
  return count;
};

/** Reads a lifetime: seconds, or a length of time such as `1h`. Returns seconds. */
const parseLifetime = (text: string): number => {
  const seconds = (parseDuration(text) ?? Number(text) * 1000) / 1000;
  if (!Number.isSafeInteger(seconds) || seconds < 1)
    throw new InvalidArgumentError('must be a number of seconds, or a length of time such as 15m, 1h or 30d');
  return seconds;
};

const parseWholeNumber = (text: string): number => {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 0) throw new InvalidArgumentError('must be a whole number of at least 0');
  return count;
};

/** Reads a tenant id and converts it to lower case. */
const parseTenant = (text: string): string => {
  if (!UUID.test(text)) throw new CommandError(`--tenant: ${text} is not a UUID`);
  return text.toLowerCase();
};

/**
 * Resolves a path from the caller's folder. npm runs scripts in the package's folder, and sets INIT_CWD to the
 * caller's folder.
 */
const resolvePath = (path: string): string => {
  // An empty path is often an unset shell variable. It must not mean the current folder.
  if (path === '') throw new CommandError('<directory> is empty: pass the path of a folder, for example ../backup');
  return path === ':memory:' ? path : resolve(process.env['INIT_CWD'] ?? '.', path);
};

const readSettings = () => parseSettings(process.env);

/**
 * The command line. For a mistyped command, Commander prints the error and throws a CommanderError. The module of a command
 * is imported only when the command runs, because loading the web framework takes longer than the whole `token` command.
 */
export const program = new Command(PROGRAM_NAME)
  .description('An event-sourced pet store. Settings are environment variables; docs/configuration.md lists them.')
  .version(VERSION, '-V, --version', 'print the version')
  .exitOverride((error) => {
    throw error;
  });

const LISTEN_EXAMPLES = `
Examples:
  ${PROGRAM_NAME} listen --forward-to http://127.0.0.1:4000/hook
  ${PROGRAM_NAME} listen --forward-to http://127.0.0.1:4000/hook --events order.statusChanged,payment.succeeded --ordered

The command registers a webhook endpoint and removes it at the end.
If the command is killed, the next listen or replay on this machine removes the endpoint.
`;
const TRIGGER_EXAMPLES = `
Examples:
  ${PROGRAM_NAME} trigger payment.succeeded
  ${PROGRAM_NAME} trigger webhook.test --webhook 0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c93
`;
const REPLAY_EXAMPLES = `
Examples:
  ${PROGRAM_NAME} replay --since 15m --to http://127.0.0.1:4000/hook
  ${PROGRAM_NAME} replay --since 2026-01-02T00:00:00Z --until 2026-01-03T00:00:00Z --to https://shop.example.com/hooks

Each event keeps its webhook-id, so a receiver can recognise duplicates.
The endpoint also receives events that happen during the replay.
`;

/** Adds the options that select a running service and its credentials. */
const addServiceOptions = (command: Command): Command =>
  command.option('--url <url>', `a running service, for example ${DEFAULT_URL} (default: the service that runs on DATA_DIR)`).addOption(
    // Other users can see arguments in the list of processes, but not environment variables.
    new Option('--token <token>', 'a token of that service (default: a token signed with the keys in DATA_DIR)').env('PETSTORE_TOKEN'),
  );

/** Adds the options that select a running service, its credentials and the tenant. */
const addStoreOptions = (command: Command): Command =>
  addServiceOptions(command).option('--tenant <uuid>', 'the tenant (default: the shared pool)', parseTenant);

program
  .command('start')
  .description('run the service on HOST and PORT with the store in DATA_DIR until SIGINT or SIGTERM')
  .action(async () => (await import('./commands/start.command.js')).startCommand(readSettings()));

program
  .command('api')
  .description('distributed profile: serve the HTTP interface on HOST and PORT, in any number of processes')
  .action(async () => (await import('./commands/api.command.js')).apiCommand(readSettings()));

program
  .command('worker')
  .description('distributed profile: run background roles, in any number of processes')
  .option('--roles <names>', `roles to run, separated by commas: ${ROLES.join(', ')}`, ROLES.join(','))
  .action(async (options: { roles: string }) => {
    const { parseRoles, workerCommand } = await import('./commands/worker.command.js');
    await workerCommand(readSettings(), parseRoles(options.roles));
  });

program
  .command('health')
  .description('exit with 0 if a process on this machine is live, with 1 if not; for the health checks of an orchestrator')
  .addArgument(
    new Argument(
      '[process]',
      'api: check PORT; worker: check WORKER_PORT (default: the service on DATA_DIR, or without a store there, both)',
    ).choices(['api', 'worker']),
  )
  .action(async (checked?: CheckedProcess) => (await import('./client/check-health.js')).checkHealth(readSettings(), checked));

program
  .command('token')
  .description('print an access token; the service may be running or stopped')
  .requiredOption('--scope <scopes>', 'scopes, separated by spaces, for example "write:pets read:pets"')
  .option('--subject <id>', 'the user or service that the token identifies', 'staff')
  .option('--tenant <uuid>', 'restrict the token to one tenant', parseTenant)
  .option('--expires-in <time>', 'lifetime: seconds, or a length of time such as 15m, 1h or 30d', parseLifetime, 3600)
  .addHelpText('after', describeScopes())
  .action(async (options: TokenOptions) => (await import('./commands/token.command.js')).tokenCommand(readSettings(), options));

addStoreOptions(program.command('seed'))
  .description('add sample pets with pictures to the store in DATA_DIR, or through the running service at --url')
  .option('--pets <count>', 'number of pets', parsePositive, 1000)
  .option('--pictures <count>', 'number of the pets that get a drawn picture', parseWholeNumber, 24)
  .option('--seed <number>', 'random seed; the same seed creates the same pets', parseWholeNumber, 1)
  .action(async (options: SeedOptions) => (await import('./commands/seed.command.js')).seedCommand(readSettings(), options));

addStoreOptions(program.command('listen'))
  .description('forward new events of a running service to a URL as signed webhooks, and print each attempt until Ctrl-C')
  .requiredOption('--forward-to <url>', 'the URL that receives the events, for example http://127.0.0.1:4000/hook')
  .option('--events <names>', 'event types, separated by commas (default: all)')
  .option('--ordered', 'deliver the events of one order, payment or pet in order, one at a time')
  .addHelpText('after', LISTEN_EXAMPLES)
  .action(async (options: ListenOptions) => (await import('./commands/listen.command.js')).listenCommand(readSettings(), options));

addStoreOptions(program.command('trigger'))
  .description('cause an event by requests to a running service; the resources that the requests create remain')
  .argument('<event>', 'the event type')
  .option('--webhook <id>', 'the endpoint that receives webhook.test')
  .addHelpText('after', `${describeTriggers()}${TRIGGER_EXAMPLES}`)
  .action(async (event: string, options: TriggerOptions) =>
    (await import('./commands/trigger.command.js')).triggerCommand(readSettings(), event, options),
  );

addStoreOptions(program.command('replay'))
  .description('send past events of a running service again, to a URL, as signed webhooks; exits with 1 if an event was not delivered')
  .requiredOption('--since <time>', 'the start of the range: 2026-01-02T03:04:05Z, or how long ago: 15m, 2h or 3d')
  .option('--until <time>', 'the end of the range, in the same form (default: now)')
  .requiredOption('--to <url>', 'the URL that receives the events; unless an enabled endpoint has this URL, a temporary one is registered')
  .option('--events <names>', 'event types, separated by commas; a temporary endpoint is registered for them')
  .option('--wait <time>', 'the longest time to wait until each event is delivered or parked', '1h')
  .addHelpText('after', REPLAY_EXAMPLES)
  .action(async (options: ReplayOptions) => (await import('./commands/replay.command.js')).replayCommand(readSettings(), options));

program
  .command('backup')
  .description('copy the store in DATA_DIR to an empty folder; the service may be running or stopped')
  .argument('<directory>', 'the target folder; created if missing')
  .option('--as-evidence', 'copy the store even if its history is altered; a file in the copy then lists the faults')
  .action(async (directory: string, options: BackupOptions) =>
    (await import('./commands/backup.command.js')).backupCommand(readSettings(), resolvePath(directory), options),
  );

program
  .command('restore')
  .description('copy a backup to DATA_DIR, which must be empty')
  .argument('<directory>', 'the folder of the backup')
  .option('--erasures <file>', 'the file of "erasures export"; persons in it stay erased; required if NODE_ENV is production')
  .action(async (directory: string, { erasures }: RestoreOptions) =>
    (await import('./commands/backup.command.js')).restoreCommand(readSettings(), resolvePath(directory), {
      ...(erasures !== undefined && { erasures: resolvePath(erasures) }),
    }),
  );

program
  .command('copy')
  .description('copy the store in DATA_DIR to the servers of the distributed profile; stop the service first; resumes an interrupted copy')
  .requiredOption('--to <profile>', '"distributed": the servers at EVENTSTOREDB_URL, MONGODB_URL and KAFKA_BROKERS')
  .action(async (options: { to: string }) => (await import('./commands/copy.command.js')).copyCommand(readSettings(), options.to));

const context: ProgramContext = { addServiceOptions, addStoreOptions, readSettings, parseWholeNumber, resolvePath };
addErasuresCommands(program, context);
addUsersCommands(program, context);
addSessionsCommands(program, context);
addKeysCommands(program, context);
addAdoptionsCommands(program, context);
addClientsCommands(program, context);
addHistoryCommand(program, context);
addAuditCommands(program, context);

addProjectionsCommands(program, context);
addParkedCommands(program, context);
addStuckCommand(program, context);
addDoctorCommand(program, context);
addTopicsCommands(program, context);

/** Makes the error of each mistyped command end with a hint to run the command with `--help`. */
const addHelpHint = (command: Command, typed = command.name()): void => {
  command.showHelpAfterError(`Run "${typed} --help" for usage.`);
  for (const part of command.commands) addHelpHint(part, `${typed} ${part.name()}`);
};
addHelpHint(program);
