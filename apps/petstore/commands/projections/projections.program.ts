import type { Command } from 'commander';
import { PROGRAM_NAME } from '../../terminal/installation.js';
import type { ProgramContext } from '../program-context.js';
import type { PauseOptions, ProjectionsOptions, ResumeOptions } from './projections.command.js';

const PROJECTIONS_HELP = `
Examples:
  ${PROGRAM_NAME} projections status
  ${PROGRAM_NAME} projections pause pets --reason "release 5.2 will repair it"
  ${PROGRAM_NAME} projections resume pets
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

  projections
    .command('rebuild')
    .description('rebuild all read models from the log; stop an embedded service first; resumes an interrupted rebuild')
    .option('--accept-altered', 'use the rebuilt read models although they lack the altered streams')
    .action(async ({ acceptAltered = false }: { acceptAltered?: boolean }) =>
      (await import('./rebuild.command.js')).projectionsCommand(readSettings(), acceptAltered),
    );
};
