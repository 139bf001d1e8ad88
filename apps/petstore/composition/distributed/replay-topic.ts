import { contracts, publicMessageMapper, topicsOf } from '../../../../libs/contracts/contracts.js';
import { categoryOf } from '../../../../libs/eventsourcing/message.js';
import { withoutNamespace } from '../../../../libs/eventsourcing/ports/publisher.port.js';
import { PublishedEnds, TopicsLost } from '../../../../libs/runtime/relay/published-ends.js';
import { RELAY } from '../../../../libs/runtime/relay/relay.js';
import { replayMessages, type ReplayResult } from '../../../../libs/runtime/relay/replay.js';
import { CommandError } from '../../errors/command-error.js';
import type { Log } from '../../logging/log.js';
import { showProgress } from '../../terminal/progress.js';
import { openDistributedStore, type DistributedStore } from './distributed.js';
import { openStoredDatabase, type DistributedSettings } from './open-servers.js';

/** The topic of the messages that are published again, and the time range of their events. `to` is not included. */
export type TopicRange = { readonly topic: string; readonly from: Date; readonly to: Date };

/**
 * Returns the contract of a topic. Accepts the name with or without the namespace of the store: the brokers know the topic by
 * its name with the namespace. Throws CommandError for an unknown topic.
 */
const contractOf = (topic: string, namespace: string) => {
  const contract = contracts.find((candidate) => candidate.topic === withoutNamespace(namespace, topic));
  if (!contract) throw new CommandError(`--topic ${topic} is not a topic; the topics are ${topicsOf(contracts).join(', ')}`);
  return contract;
};

/**
 * Publishes messages of a topic again (contract 22.8). The workers may run at the same time. Rejects with CommandError if the
 * topics have lost messages, because the replayed messages would hide the loss.
 */
export const replayTopic = async (settings: DistributedSettings, { topic, from, to }: TopicRange, log: Log): Promise<ReplayResult> => {
  const contract = contractOf(topic, settings.servers.namespace);
  // Rejects if the database contains no store. Without this check, openDistributedStore would create a store in it.
  await (await openStoredDatabase(settings, log)).close();
  const store = await openDistributedStore(settings, log);
  try {
    await requireWholeTopics(store);
    // Replays no event after the relay's checkpoint, because the relay has not published these events yet.
    const upTo = await store.database.projectionDocuments.checkpoint(RELAY);
    const progress = showProgress(store.clock, upTo, 'positions of the log read');
    const publisher = await store.openReplayPublisher();
    try {
      return await replayMessages(
        { isIncluded: (stream) => categoryOf(stream) === contract.category, from, to },
        {
          ...{ store: store.store, codec: store.codec, publisher, upTo, replayedAt: store.clock.now() },
          messageOf: publicMessageMapper([contract]),
          onProgress: (position) => progress.at(position),
        },
      );
    } finally {
      progress.done(upTo);
      await publisher.close();
    }
  } finally {
    await store.close();
  }
};

const requireWholeTopics = async (store: DistributedStore): Promise<void> => {
  try {
    await PublishedEnds.open(store.database.projectionDocuments, () => store.topicsNow());
  } catch (error) {
    throw error instanceof TopicsLost ? new CommandError(error.message, { cause: error }) : error;
  }
};
