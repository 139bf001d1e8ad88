import type { Command } from 'commander';
import { CommandError } from '../../errors/command-error.js';
import { PROGRAM_NAME } from '../../terminal/installation.js';
import type { ProgramContext } from '../program-context.js';
import type { PauseOptions, ProjectionsOptions, RebuildOptions, ResumeOptions, SwitchOptions } from './projections.command.js';

const PROJECTIONS_HELP = `
Examples:
  ${PROGRAM_NAME} projections status
  ${PROGRAM_NAME} projections pause pets --reason "release 5.2 will repair it"
  ${PROGRAM_NAME} projections resume pets
  ${PROGRAM_NAME} projections rebuild pets --hold
  ${PROGRAM_NAME} projections switch pets
  ${PROGRAM_NAME} projections switch pets --back --reason "it lacks prices"
  ${PROGRAM_NAME} projections rebuild

A pause lasts over restarts. Meanwhile no event changes the read model, and its responses have the header "Consistency: stale".
The log keeps reasons without expiry, so they must name no persons.
`;

/** Adds `petstore projections` and its commands. */
export const addProjectionsCommands = (program: Command, { addServiceOptions, readSettings }: ProgramContext): void => {
  const projections = program.command('projections').description('manage the read models').addHelpText('after', PROJECTIONS_HELP);

  addServiceOptions(projections.command('status'))
    .description('show how far each read model is, which process projects it, and whether it is paused')
    .option('--json', 'print JSON')
    .action(async (options: ProjectionsOptions) => (await import('./projections.command.js')).statusCommand(readSettings(), options));

  addServiceOptions(projections.command('pause'))
    .description('let no event change a read model until it is resumed')
    .argument('<name>', 'the read model; "projections status" lists the names')
    .option('--yes', 'pause it although more than reads stops')
    .option('--reason <text>', 'why, up to 500 characters')
    .option('--json', 'print JSON')
    .action(async (name: string, options: PauseOptions) =>
      (await import('./projections.command.js')).pauseCommand(readSettings(), name, options),
    );

  addServiceOptions(projections.command('resume'))
    .description('let a paused read model catch up, and follow the log again')
    .argument('<name>', 'the read model')
    .option('--reason <text>', 'why, up to 500 characters')
    .option('--json', 'print JSON')
    .action(async (name: string, options: ResumeOptions) =>
      (await import('./projections.command.js')).resumeCommand(readSettings(), name, options),
    );

  addServiceOptions(projections.command('rebuild'))
    .description(
      'rebuild a read model while the service runs: a second fill replaces it when it is equal; without a name, rebuild all of a stopped ' +
        'embedded service, or empty those of several machines; resumes an interrupted rebuild',
    )
    .argument('[name]', 'the read model')
    .option('--all', 'every read model, while the service runs')
    .option('--hold', 'replace none until "projections switch"')
    .option('--reason <text>', 'why, up to 500 characters')
    .option('--json', 'print JSON')
    .option('--accept-altered', 'without a name: use the rebuilt read models although they lack the altered streams')
    .action(async (name: string | undefined, { acceptAltered = false, ...options }: RebuildOptions & { acceptAltered?: boolean }) => {
      if (name !== undefined || options.all) await (await import('./projections.command.js')).rebuildCommand(readSettings(), name, options);
      else if (options.hold || options.reason !== undefined || options.json || options.url !== undefined)
        throw new CommandError('name a read model, or pass --all: without, the options do not apply');
      else await (await import('./rebuild.command.js')).projectionsCommand(readSettings(), acceptAltered);
    });

  addServiceOptions(projections.command('switch'))
    .description('let queries read the fill of a read model, or with --back what it has replaced')
    .argument('<name>', 'the read model')
    .option('--back', 'go back to what the fill has replaced')
    .option('--reason <text>', 'why, up to 500 characters')
    .option('--json', 'print JSON')
    .action(async (name: string, options: SwitchOptions) =>
      (await import('./projections.command.js')).switchCommand(readSettings(), name, options),
    );

  addServiceOptions(projections.command('drop'))
    .description('end a rebuild and remove its fill; without a fill, remove what a fill has replaced')
    .argument('<name>', 'the read model')
    .requiredOption('--reason <text>', 'why, up to 500 characters')
    .option('--json', 'print JSON')
    .action(async (name: string, options: ResumeOptions) =>
      (await import('./projections.command.js')).dropCommand(readSettings(), name, options),
    );
};
