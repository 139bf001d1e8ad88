import type { Command } from 'commander';
import type { EraseApplicantOptions } from './adoptions.command.js';
import type { ProgramContext } from '../program-context.js';

/** Adds `petstore adoptions` and its command. */
export const addAdoptionsCommands = (program: Command, { addStoreOptions, readSettings }: ProgramContext): void => {
  const adoptions = program.command('adoptions').description('erase applicants of adoption applications');
  addStoreOptions(adoptions.command('erase'))
    .description('permanently erase the applicant of an adoption application; the application is kept, and is withdrawn if it is open')
    .argument('<id>', 'the id of the application')
    .option('--yes', 'confirm the erasure')
    .action(async (id: string, options: EraseApplicantOptions) =>
      (await import('./adoptions.command.js')).eraseApplicant(readSettings(), id, options),
    );
};
