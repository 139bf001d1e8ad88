import type { Command } from 'commander';
import { PROGRAM_NAME } from '../../terminal/installation.js';
import type { ProgramContext } from '../program-context.js';

const ERASURES_HELP = `
A backup contains the keys of persons who were erased after it was made. Export the list every day, and keep it apart
from the backups:
  ${PROGRAM_NAME} erasures export ../erasures.json

Pass the list to a restore, so that these persons stay erased:
  ${PROGRAM_NAME} restore ../backup --erasures ../erasures.json
`;

/** Adds `petstore erasures` and its commands. */
export const addErasuresCommands = (program: Command, { readSettings, resolvePath }: ProgramContext): void => {
  const pathOf = (file: string): string => (file === '-' ? file : resolvePath(file));
  const erasures = program
    .command('erasures')
    .description('keep erased persons erased when a backup is restored')
    .addHelpText('after', ERASURES_HELP);

  erasures
    .command('export')
    .description('write the list of all erasures to a file, as digests that name nobody; the service may be running or stopped')
    .argument('<file>', 'the file to write, or - for standard output; if the file contains a list already, its entries are kept')
    .action(async (file: string) => (await import('./erasures.command.js')).exportErasuresCommand(readSettings(), pathOf(file)));

  erasures
    .command('apply')
    .description('erase the persons in a list again, in a store that was restored without --erasures; stop the service first')
    .argument('<file>', 'a file of "erasures export", or - for standard input')
    .action(async (file: string) => (await import('./erasures.command.js')).applyErasuresCommand(readSettings(), pathOf(file)));
};
