import type { Command } from 'commander';
import { PROGRAM_NAME } from '../../terminal/installation.js';
import type { ProgramContext } from '../program-context.js';
import type { OperatorOptions, ParkedOptions, RetryOptions, SkipOptions } from './parked.command.js';

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

const SKIP_HELP = `
Examples:
  ${PROGRAM_NAME} skip pets pet-0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60 2 --reason "a price without a currency"
  ${PROGRAM_NAME} skipped
  ${PROGRAM_NAME} unskip pets pet-0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60 2

A retry is better if a release can handle the event. The event stays in the log and in decisions; only the read
model or the consumer leaves it out. The first event of a stream, whose revision is 0, cannot be skipped.
The log keeps the reason without expiry, so it must name no persons.
`;

/** Adds `petstore parked`, `retry`, `skip`, `unskip` and `skipped`. */
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

  addServiceOptions(program.command('skip'))
    .description('let a read model or consumer leave out an event that it has parked; exits with 1 if the stream is still parked')
    .argument('<name>', 'the read model or consumer')
    .argument('<stream>', 'the stream')
    .argument('<revision>', 'the revision of the event')
    .requiredOption('--reason <text>', 'why, up to 500 characters')
    .option('--json', 'print JSON')
    .addHelpText('after', SKIP_HELP)
    .action(async (name: string, stream: string, revision: string, options: SkipOptions) =>
      (await import('./parked.command.js')).skipCommand(readSettings(), 'skip', { name, stream, revision }, options),
    );

  addServiceOptions(program.command('unskip'))
    .description('let a read model contain an event again that it leaves out; exits with 1 if that parks the stream')
    .argument('<name>', 'the read model or consumer')
    .argument('<stream>', 'the stream')
    .argument('<revision>', 'the revision of the event')
    .option('--reason <text>', 'why, up to 500 characters')
    .option('--json', 'print JSON')
    .addHelpText('after', SKIP_HELP)
    .action(async (name: string, stream: string, revision: string, options: SkipOptions) =>
      (await import('./parked.command.js')).skipCommand(readSettings(), 'unskip', { name, stream, revision }, options),
    );

  addServiceOptions(program.command('skipped'))
    .description('list the events that read models and consumers leave out, since when and why')
    .option('--json', 'print JSON')
    .addHelpText('after', SKIP_HELP)
    .action(async (options: OperatorOptions) => (await import('./parked.command.js')).skippedCommand(readSettings(), options));
};
