import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import { changeSpread, readSpread, type SpreadDocuments, type TopicSpread } from '../../../../libs/runtime/relay/topic-spread.js';
import { CommandError } from '../../errors/command-error.js';

/** Milliseconds between two reads of the record. */
const POLL_EVERY = 250;
/** Milliseconds after which the request is withdrawn. The relay takes a second to see it, and a minute to give up. */
const LIMIT = 120_000;

/** Returns why keys cannot be moved to this number of partitions, or null if they can. */
export const objectionTo = ({ partitions, requested }: TopicSpread, count: number): string | null => {
  const topics = Object.entries(partitions);
  if (topics.length === 0) return 'no partitions are recorded yet: start a worker with the role relay, then run the command again';
  if (requested !== null) return `a move to ${requested} partitions is in progress: wait until it has ended`;
  const [[name, most]] = topics.toSorted(([, one], [, other]) => other - one) as [[string, number]];
  if (most > count)
    return `the keys of ${name} are spread over ${most} partitions, and a topic never gets fewer: pass --partitions ${most} or more`;
  if (topics.every(([, has]) => has === count))
    return `the keys of every topic are spread over ${count} partitions already: nothing was changed`;
  return null;
};

/**
 * Requests that the relay moves the keys to this number of partitions, and waits until it has (contract 22.7). Rejects with
 * CommandError if the keys cannot be moved, or if no relay has moved them in time. Returns the topics.
 */
export const spreadTopics = async (documents: SpreadDocuments, count: number, clock: Clock): Promise<readonly string[]> => {
  await changeSpread(documents, (spread) => {
    const objection = objectionTo(spread, count);
    if (objection !== null) throw new CommandError(objection);
    return { ...spread, requested: count, failure: null };
  });
  const until = clock.elapsed() + LIMIT;
  for (;;) {
    const { requested, failure, partitions } = await readSpread(documents);
    if (requested !== count) {
      if (failure !== null) throw new CommandError(`the keys were not moved: ${failure}`);
      return Object.keys(partitions);
    }
    if (clock.elapsed() >= until) await withdraw(documents, count);
    else await new Promise<void>((resolve) => clock.after(POLL_EVERY, resolve));
  }
};

/** Withdraws a request that no relay has answered. Rejects with CommandError, unless a relay has just moved the keys. */
const withdraw = async (documents: SpreadDocuments, count: number): Promise<void> => {
  let isWithdrawn = false;
  await changeSpread(documents, (spread) => {
    isWithdrawn = spread.requested === count;
    return isWithdrawn ? { ...spread, requested: null } : null;
  });
  if (isWithdrawn)
    throw new CommandError(
      `no relay has moved the keys within ${LIMIT / 1_000} s: start Kafka and a worker with the role relay, then run the command again`,
    );
};
