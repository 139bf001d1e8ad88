import type { Command } from 'commander';
import { PROGRAM_NAME } from '../../terminal/installation.js';
import type { HistoryOptions } from './history.command.js';
import type { ProgramContext } from '../program-context.js';

const HISTORY_HELP = `
Examples:
  ${PROGRAM_NAME} history 0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60
  ${PROGRAM_NAME} history order-0190a6b3-1d2f-7b45-8c1a-4e2b6d3f5a71 --as-of 2026-01-02T03:04:05Z

While the service runs, the command sends requests to it. Otherwise the command opens the store directly.
`;

/** Adds `petstore history`. */
export const addHistoryCommand = (program: Command, { addStoreOptions, readSettings }: ProgramContext): void => {
  addStoreOptions(program.command('history'))
    .description('show who changed a pet, order, payment, adoption application, account or webhook endpoint, when and how')
    .argument('<id>', 'the id of the resource, or the name of its stream, such as order-<id>')
    .option('--as-of <time>', 'show the state at this time, not the changes: 2026-01-02T03:04:05Z, or how long ago: 15m, 2h or 3d')
    .option('--json', 'print JSON')
    .addHelpText('after', HISTORY_HELP)
    .action(async (id: string, options: HistoryOptions) =>
      (await import('./history.command.js')).historyCommand(readSettings(), id, options),
    );
};
