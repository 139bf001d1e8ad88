import type { Command } from 'commander';
import { PROGRAM_NAME } from '../../terminal/installation.js';
import type { ProgramContext } from '../program-context.js';
import type { StuckOptions } from './stuck.command.js';

const STUCK_HELP = `
Examples:
  ${PROGRAM_NAME} stuck
  ${PROGRAM_NAME} stuck --older-than 10m --json
`;

/** Adds `petstore stuck`. */
export const addStuckCommand = (program: Command, { addServiceOptions, readSettings }: ProgramContext): void => {
  addServiceOptions(program.command('stuck'))
    .description('list the orders, payments, applications and deliveries that wait longer than they should, with why and what helps')
    .option('--older-than <time>', 'only what waits longer than it should by this length of time', '1m')
    .option('--json', 'print JSON')
    .addHelpText('after', STUCK_HELP)
    .action(async (options: StuckOptions) => (await import('./stuck.command.js')).stuckCommand(readSettings(), options));
};
