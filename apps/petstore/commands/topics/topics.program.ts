import { InvalidArgumentError, type Command } from 'commander';
import { PROGRAM_NAME } from '../../terminal/installation.js';
import type { ProgramContext } from '../program-context.js';
import type { ReplayTopicOptions } from './topics.command.js';

const REPLAY_HELP = `
Examples:
  ${PROGRAM_NAME} topics replay --topic petstore.orders.v1 --from 2026-01-02 --to 2026-01-03
  ${PROGRAM_NAME} topics replay --topic petstore.orders.v1 --from 15m

Each message has the same id as before, and the header ce_replayedat. The workers may run during the replay.
`;

const SPREAD_HELP = `
Example:
  ${PROGRAM_NAME} topics spread --partitions 12

The number is recorded once for the store, so that partitions that somebody adds at the brokers change nothing. Partitions
that are missing are added. The workers must run. The order of the messages of a key is kept for the service's own
consumers. See docs/events.md for what other consumers must do first. A number never gets smaller.
`;

/** More partitions than a cluster serves well are a typing error. */
const MOST_PARTITIONS = 1_000;

const parsePartitions = (text: string): number => {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1 || count > MOST_PARTITIONS)
    throw new InvalidArgumentError(`must be a whole number from 1 to ${MOST_PARTITIONS}`);
  return count;
};

/** Adds `petstore topics` and its commands. */
export const addTopicsCommands = (program: Command, { readSettings }: ProgramContext): void => {
  const topics = program.command('topics').description('manage the Kafka topics');

  topics
    .command('republish')
    .description(
      'distributed profile: after Kafka lost its topics, publish the whole log again with the same ids; first stop the relay workers',
    )
    .action(async () => (await import('./topics.command.js')).topicsCommand(readSettings()));

  topics
    .command('replay')
    .description('distributed profile: publish the messages of a topic between two times again, for subscribers that lost messages')
    .requiredOption('--topic <topic>', 'the topic')
    .requiredOption('--from <time>', 'the start of the range: ISO 8601, or how long ago, such as 15m, 2h, 3d')
    .option('--to <time>', 'the end of the range, which is not included (default: now)')
    .addHelpText('after', REPLAY_HELP)
    .action(async (options: ReplayTopicOptions) => (await import('./topics.command.js')).replayTopicCommand(readSettings(), options));

  topics
    .command('spread')
    .description('distributed profile: spread the keys of all topics over more partitions, while the relay waits')
    .requiredOption('--partitions <count>', 'the number of partitions of each topic', parsePartitions)
    .addHelpText('after', SPREAD_HELP)
    .action(async ({ partitions }: { readonly partitions: number }) =>
      (await import('./topics.command.js')).spreadTopicsCommand(readSettings(), partitions),
    );
};
