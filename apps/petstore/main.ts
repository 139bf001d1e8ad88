import { Command, InvalidArgumentError } from 'commander';
import { parseSettings, SettingsError } from '../../libs/application/settings.js';
import { FolderRefused } from '../../libs/adapters/embedded/index.js';
import { UUID } from '../api/http/patterns.js';
import { ROLES } from '../worker/roles.js';
import { apiCommand } from './api.command.js';
import { CommandError } from './command-error.js';
import { copyCommand } from './copy.command.js';
import { backupCommand, restoreCommand } from './backup.command.js';
import { projectionsCommand } from './projections.command.js';
import { seedCommand } from './seed.command.js';
import { startCommand } from './start.command.js';
import { tokenCommand } from './token.command.js';
import { rolesFrom, workerCommand } from './worker.command.js';

const EXIT_REFUSED = 2;

const atLeastOne = (text: string): number => {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) throw new InvalidArgumentError('must be a whole number of at least 1');
  return count;
};

const wholeNumber = (text: string): number => {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 0) throw new InvalidArgumentError('must be a whole number');
  return count;
};

/** As X-Tenant-ID is read: in lower case, so that what is written here is found there. */
const tenantId = (text: string): string => {
  if (!UUID.test(text)) throw new CommandError(`--tenant: ${text} is not a UUID`);
  return text.toLowerCase();
};

const settings = () => parseSettings(process.env);

const program = new Command('petstore')
  .description('An event-sourced pet store. Settings are environment variables; the README lists them.')
  .showHelpAfterError('(petstore --help lists the commands)');

program
  .command('start')
  .description('open the store on DATA_DIR and serve it on HOST and PORT until SIGINT or SIGTERM')
  .action(() => startCommand(settings()));

program
  .command('api')
  .description('several machines: serve the interface on HOST and PORT, as one of any number of processes')
  .action(() => apiCommand(settings()));

program
  .command('worker')
  .description('several machines: do the work behind the interface, as one of any number of processes')
  .option('--roles <names>', `what it does, separated by commas: ${ROLES.join(', ')}`, ROLES.join(','))
  .action((options: { roles: string }) => workerCommand(settings(), rolesFrom(options.roles)));

program
  .command('token')
  .description('print an access token; works while the store runs, too')
  .requiredOption('--scope <scopes>', 'what it allows, separated by spaces: "write:pets read:pets"')
  .option('--subject <id>', 'whom it names', 'staff')
  .option('--tenant <uuid>', 'bind it to one tenant', tenantId)
  .option('--expires-in <seconds>', 'how long it is good for', atLeastOne, 3600)
  .action((options: { scope: string; subject: string; tenant?: string; expiresIn: number }) => tokenCommand(settings(), options));

program
  .command('seed')
  .description('fill the store with believable pets: a running one by --url, else the one on DATA_DIR')
  .option('--pets <count>', 'how many', atLeastOne, 1000)
  .option('--seed <number>', 'the same number makes the same pets', wholeNumber, 1)
  .option('--tenant <uuid>', 'whose pets they are', tenantId)
  .option('--url <address>', 'a running store, as http://127.0.0.1:3000')
  .option('--token <token>', 'a token of that store with write:pets; made from the keys in DATA_DIR when left out')
  .action((options: { pets: number; seed: number; tenant?: string; url?: string; token?: string }) => seedCommand(settings(), options));

program
  .command('backup')
  .description('copy the store on DATA_DIR into an empty folder, also while it runs')
  .argument('<directory>', 'where to; made when it is missing')
  .action((directory: string) => backupCommand(settings(), directory));

program
  .command('restore')
  .description('copy a backup into DATA_DIR, which must be empty')
  .argument('<directory>', 'the backup')
  .action((directory: string) => restoreCommand(settings(), directory));

program
  .command('copy')
  .description('carry the store on DATA_DIR over to several machines; it must not be running. Stopped half-way, it goes on from there')
  .requiredOption('--to <profile>', 'where to: "distributed", on the servers that EVENTSTOREDB_URL, MONGODB_URL and KAFKA_BROKERS name')
  .action((options: { to: string }) => copyCommand(settings(), options.to));

program
  .command('projections')
  .description('work on the read models')
  .command('rebuild')
  .description('make all read models anew from the log; the store must not be running. Stopped half-way, it goes on from there')
  .action(() => projectionsCommand(settings()));

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommandError || error instanceof SettingsError || error instanceof FolderRefused)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = EXIT_REFUSED;
}
