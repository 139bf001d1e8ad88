import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { ConsumerState } from '../../eventsourcing/ports/messages.port.js';
import type { Publisher } from '../../eventsourcing/ports/publisher.port.js';
import { pauseFor } from '../following/pause.js';
import { repeat } from '../following/repeat.js';
import { changeSpread, readSpread, type SpreadDocuments } from './topic-spread.js';

/** Milliseconds between two reads of the record by a relay, which show whether a move is requested. */
const LOOK_EVERY = 1_000;
/** Milliseconds between two reads of the states of consumers. */
const POLL_EVERY = 250;
/** Milliseconds after which a move is given up if consumers have not handled all messages. Nothing is published meanwhile. */
export const DRAIN_LIMIT = 60_000;

export type SpreadMoveDependencies = {
  readonly documents: SpreadDocuments;
  /** Opens a publisher. Older publishers can then no longer publish. */
  readonly openPublisher: () => Promise<Publisher>;
  /** Returns the state of every consumer of the service, in all processes. */
  readonly consumerStates: () => Promise<Readonly<Record<string, Pick<ConsumerState, 'behind' | 'parked'>>>>;
  /** Adds partitions to the topics that have fewer. Returns why the brokers refuse that, or null. */
  readonly addPartitions: (count: number) => Promise<string | null>;
  readonly clock: Clock;
};

/**
 * Aborts `requested` when an operator requests a move to more partitions. Returns a function that stops the watch. While the
 * record cannot be read, no move is known.
 */
export const watchForMove = ({ documents, clock }: Pick<SpreadMoveDependencies, 'documents' | 'clock'>, requested: AbortController) => {
  const work = async (): Promise<number> => {
    if ((await readSpread(documents)).requested !== null) requested.abort();
    return LOOK_EVERY;
  };
  return repeat({ clock, firstDelay: LOOK_EVERY, work, failureDelay: LOOK_EVERY, onError: () => undefined });
};

/**
 * Moves the keys of all topics to the requested number of partitions, if a move is requested (contract 22.7). The relay calls it
 * while it publishes nothing.
 *
 * The order of the messages of a key is kept for our own consumers: they have handled every message in the old partitions before
 * the first one is published to the new ones. Keys may not be parked either, because the member of a group that reads the new
 * partition would not know that. If consumers do not get there in time, the move fails and the old number stays.
 */
export const moveSpread = async (dependencies: SpreadMoveDependencies, signal: AbortSignal): Promise<void> => {
  const { documents, openPublisher, addPartitions } = dependencies;
  const { requested } = await readSpread(documents);
  if (requested === null) return;
  // A relay that was suspended may still have a batch in hand. Its publisher must not send it after the consumers are done.
  await (await openPublisher()).close();
  const failure = (await waitUntilDrained(dependencies, signal)) ?? (signal.aborted ? null : await addPartitions(requested));
  if (signal.aborted) return;
  await changeSpread(documents, (spread) => {
    if (spread.requested !== requested) return null;
    if (failure !== null) return { ...spread, requested: null, failure };
    const partitions = Object.entries(spread.partitions).map(([topic, count]) => [topic, Math.max(count, requested)] as const);
    return { partitions: Object.fromEntries(partitions), requested: null, failure: null };
  });
};

/** Resolves with null when the consumers have handled everything, or the signal aborts. Otherwise returns what is unhandled. */
const waitUntilDrained = async ({ consumerStates, clock }: SpreadMoveDependencies, signal: AbortSignal): Promise<string | null> => {
  const until = clock.elapsed() + DRAIN_LIMIT;
  while (!signal.aborted) {
    const undone = describeUndone(await consumerStates());
    if (undone === null) return null;
    if (clock.elapsed() >= until)
      return `within ${DRAIN_LIMIT / 1_000} s ${undone}: wait until nothing is behind or parked, with a worker of the role consumers, and run the command again`;
    await pauseFor(POLL_EVERY, clock, signal);
  }
  return null;
};

const describeUndone = (states: Awaited<ReturnType<SpreadMoveDependencies['consumerStates']>>): string | null => {
  const texts = Object.entries(states)
    .filter(([, { behind, parked }]) => behind > 0 || parked > 0)
    .map(([name, { behind, parked }]) => `the consumer ${name} did not handle all messages (${behind} behind, ${parked} parked keys)`);
  return texts.length === 0 ? null : texts.join(', ');
};
