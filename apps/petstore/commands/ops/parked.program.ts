import type { Command } from 'commander';
import { PROGRAM_NAME } from '../../terminal/installation.js';
import type { ProgramContext } from '../program-context.js';
import type { ParkedOptions, RetryOptions } from './parked.command.js';

const PARKED_HELP = `
Examples:
  ${PROGRAM_NAME} parked
  ${PROGRAM_NAME} parked --name pets --json
`;

const RETRY_HELP = `
Examples:
  ${PROGRAM_NAME} retry pets pet-0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60 --trial
  ${PROGRAM_NAME} retry --cause exhausted --reason "the receiver is up again"
  ${PROGRAM_NAME} retry --all

Streams and keys are also retried each minute, and at each start. Deliveries are sent again only on request.
The log keeps the reason without expiry, so it must name no persons.
`;

/** Adds `petstore parked` and `petstore retry`. */
export const addParkedCommands = (program: Command, { addServiceOptions, readSettings }: ProgramContext): void => {
  addServiceOptions(program.command('parked'))
    .description('list what could not be handled and waits: streams, keys of consumers and deliveries, by cause')
    .option('--name <name>', 'only of this read model, of relay, of this consumer, or deliveries')
    .option('--cause <cause>', 'only with this cause')
    .option('--json', 'print JSON')
    .addHelpText('after', PARKED_HELP)
    .action(async (options: ParkedOptions) => (await import('./parked.command.js')).parkedCommand(readSettings(), options));

  addServiceOptions(program.command('retry'))
    .description('retry what could not be handled, in order; exits with 1 if something is still parked')
    .argument('[name]', 'the read model, relay, the consumer, or deliveries, with [stream]')
    .argument('[stream]', 'the stream')
    .option('--cause <cause>', 'everything with this cause')
    .option('--all', 'everything')
    .option('--trial', 'change nothing, and print what a retry would come to')
    .option('--reason <text>', 'why, up to 500 characters')
    .option('--json', 'print JSON')
    .addHelpText('after', RETRY_HELP)
    .action(async (name: string | undefined, stream: string | undefined, options: RetryOptions) =>
      (await import('./parked.command.js')).retryCommand(readSettings(), { name, stream }, options),
    );
};
