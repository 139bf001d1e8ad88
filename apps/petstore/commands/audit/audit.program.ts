import { Option, type Command } from 'commander';
import type { ServiceOptions } from '../../client/service-client.js';
import { PROGRAM_NAME } from '../../terminal/installation.js';
import type { EventsOptions } from './events.command.js';
import type { VerifyOptions } from './audit.command.js';
import type { ProgramContext } from '../program-context.js';
import type { ExportOptions } from './export.command.js';

const AUDIT_HELP = `
Keep copies of the keys and the checkpoints where the operators of the service cannot change them:
  ${PROGRAM_NAME} audit key > keys.json
  ${PROGRAM_NAME} audit checkpoints > checkpoints.ndjson

Later, verify the log against these copies:
  ${PROGRAM_NAME} audit verify --key keys.json --against checkpoints.ndjson

Or export a range, which an auditor verifies without the log:
  ${PROGRAM_NAME} audit export --out ../november --from 2026-11-01 --to 2026-12-01
  ${PROGRAM_NAME} audit verify ../november --key keys.json

List all changes of prices in March:
  ${PROGRAM_NAME} audit events --type PetDetailsRevised --changed price --from 2026-03-01 --to 2026-04-01
`;

/** Adds `petstore audit` and its commands. */
export const addAuditCommands = (program: Command, context: ProgramContext): void => {
  const { addServiceOptions, readSettings, parseWholeNumber, resolvePath } = context;
  const audit = program.command('audit').description('prove that the log is whole').addHelpText('after', AUDIT_HELP);

  audit
    .command('verify')
    .description(
      'verify the hash chains, order and checkpoints of the log, or an export; exits with 3 if events were altered; the service may be running',
    )
    .argument('[export]', 'an export, a folder or a file, which is verified without the log (default: verify the log)')
    .option('--against <file>', 'your copy of the checkpoints: the output of "audit checkpoints", or lines of the service log')
    .option('--key <file>', 'your copy of the public keys: the output of "audit key", or PEM (default: the keys of the service)')
    .option('--from <events>', 'skip the events up to the last checkpoint that covers at most this many events', parseWholeNumber)
    .option('--json', 'print JSON')
    .action(async (path: string | undefined, { against, key, from, json }: VerifyOptions) => {
      const options = {
        ...(against !== undefined && { against: resolvePath(against) }),
        ...(key !== undefined && { key: resolvePath(key) }),
        ...(from !== undefined && { from }),
        ...(json && { json }),
      };
      if (path === undefined) await (await import('./audit.command.js')).verifyCommand(readSettings(), options);
      else (await import('./verify-export.command.js')).verifyExportCommand(resolvePath(path), options);
    });
  addExportCommand(audit, context);

  addLogCommands(audit, context);

  addServiceOptions(audit.command('checkpoint'))
    .description('sign a checkpoint of all events now, and print it; the service may be running or stopped')
    .action(async (options: ServiceOptions) => (await import('./audit.command.js')).checkpointCommand(readSettings(), options));

  audit
    .command('key')
    .description('print the public keys that verify checkpoints; the service may be running')
    .action(async () => (await import('./audit.command.js')).keyCommand(readSettings()));
};

/** Adds the commands that read the log. */
const addLogCommands = (audit: Command, { addStoreOptions, readSettings }: ProgramContext): void => {
  addStoreOptions(audit.command('events'))
    .description('list events by type, changed field, actor and time, in the order of the log; the service may be running or stopped')
    .option('--type <type>', 'only events of this type, such as PetDetailsRevised')
    .option('--changed <field>', 'only events that changed this field of their resource, such as price; also shows the changes')
    .option('--actor <subject>', 'only events with this actor')
    .option('--from <time>', 'only events at this time or later: 2026-03-01, 2026-03-01T09:00:00Z, or how long ago: 15m, 2h or 3d')
    .option('--to <time>', 'only events before this time')
    .option('--json', 'print one event on each line')
    .action(async (options: EventsOptions) => (await import('./events.command.js')).eventsCommand(readSettings(), options));

  audit
    .command('checkpoints')
    .description('print every checkpoint of the log, one on each line; the service may be running')
    .action(async () => (await import('./audit.command.js')).checkpointsCommand(readSettings()));
};

/** Adds `petstore audit export`. */
export const addExportCommand = (audit: Command, { readSettings, resolvePath }: ProgramContext): void => {
  audit
    .command('export')
    .description('write events with a signed proof to a folder, or continue an unfinished export; the service may be running')
    .requiredOption('--out <folder>', 'a new or empty folder, or the folder of an unfinished export')
    .option('--from <time>', 'the start of the range (default: the first event)')
    .option('--to <time>', 'the end of the range, not included (default: a checkpoint of all events, which is signed first)')
    .addOption(new Option('--tenant <id>', 'only the events of this tenant: a UUID, or "shared"').conflicts('stream'))
    .option('--stream <stream>', 'only the events of this stream, such as order-<id>')
    .action(async ({ out, ...options }: ExportOptions) =>
      (await import('./export.command.js')).exportCommand(readSettings(), { out: resolvePath(out), ...options }),
    );
};
