import type { Command } from 'commander';
import { PROGRAM_NAME } from '../../terminal/installation.js';
import type { OperatorOptions } from '../ops/parked.command.js';
import type { ProgramContext } from '../program-context.js';

const DOCTOR_HELP = `
Examples:
  ${PROGRAM_NAME} doctor
  ${PROGRAM_NAME} doctor --json
  ${PROGRAM_NAME} doctor --url https://shop.example.com

It works while the service runs and while it is stopped, and changes nothing.
Exit codes: 0 nothing is wrong; 1 only warnings; 3 history or keys; 4 files, disk or clock; 5 servers or topics;
6 settings or ports; 7 parked, dead or stuck. If several apply, the lowest of 3 to 7.
`;

/** Adds `petstore doctor`. */
export const addDoctorCommand = (program: Command, { addServiceOptions, readSettings }: ProgramContext): void => {
  addServiceOptions(program.command('doctor'))
    .description('check the store and what it needs, and say what is wrong, what to do and where the runbook says more')
    .option('--json', 'print JSON')
    .addHelpText('after', DOCTOR_HELP)
    .action(async (options: OperatorOptions) => (await import('./doctor.command.js')).doctorCommand(readSettings, options));
};
