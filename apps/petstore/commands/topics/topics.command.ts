import type { Settings } from '../../../../libs/settings/settings.js';
import { parseBound } from '../../client/time-options.js';
import { clock } from '../../composition/clock.js';
import { openStoredDatabase, requireServers } from '../../composition/distributed/open-servers.js';
import { replayTopic } from '../../composition/distributed/replay-topic.js';
import { spreadTopics } from '../../composition/distributed/spread-topics.js';
import { republishTopics } from '../../composition/distributed/republish-topics.js';
import { CommandError } from '../../errors/command-error.js';
import { EXIT_HISTORY } from '../../errors/exit-codes.js';
import { createLog } from '../../logging/log.js';

/** The options of `petstore topics replay`. Default of `to`: the current time. */
export type ReplayTopicOptions = { readonly topic: string; readonly from: string; readonly to?: string };

/**
 * Makes the relay publish the whole log again, each message with the same id as before (contract 22.7). Workers run the
 * relay, so operators stop the workers before this command, and start them afterwards.
 */
export const topicsCommand = async (configured: Settings): Promise<void> => {
  const settings = requireServers(configured);
  await republishTopics(settings, createLog(settings.logLevel));
  process.stdout.write(
    'The relay will publish again from the first event. Start the workers; their /health/ready shows the lag of the relay.\n',
  );
};

/** Moves the keys of all topics to more partitions (contract 22.7). The relay of a running worker moves them. */
export const spreadTopicsCommand = async (configured: Settings, partitions: number): Promise<void> => {
  const settings = requireServers(configured);
  const database = await openStoredDatabase(settings, createLog(settings.logLevel));
  try {
    process.stderr.write('The relay waits until the consumers have handled every published message, at most a minute.\n');
    const topics = await spreadTopics(database.projectionDocuments, partitions, clock);
    process.stdout.write(`The keys of ${topics.length} topics are spread over ${partitions} partitions.\n`);
  } finally {
    await database.close();
  }
};

/** Publishes the messages for the events between two times again, for one topic (contract 22.8). */
export const replayTopicCommand = async (configured: Settings, options: ReplayTopicOptions): Promise<void> => {
  const settings = requireServers(configured);
  const now = clock.now();
  const from = parseBound('--from', options.from, now);
  const to = options.to === undefined ? now : parseBound('--to', options.to, now);
  if (from >= to) throw new CommandError(`--from ${from.toISOString()} is not before --to ${to.toISOString()}`);
  const { published, faults } = await replayTopic(settings, { topic: options.topic, from, to }, createLog(settings.logLevel));
  process.stdout.write(`${published} ${published === 1 ? 'message was' : 'messages were'} published again.\n`);
  for (const { stream, revision, reason } of faults)
    process.stderr.write(`${stream} is broken at revision ${revision}; its events from this revision on were not published: ${reason}\n`);
  if (faults.length > 0) process.exitCode = EXIT_HISTORY;
};
