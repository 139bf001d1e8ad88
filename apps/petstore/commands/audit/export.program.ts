import { Option, type Command } from 'commander';
import type { ProgramContext } from '../program-context.js';
import type { ExportOptions } from './export.command.js';

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
