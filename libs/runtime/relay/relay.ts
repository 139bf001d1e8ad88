import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/event-codec.js';
import type { StreamFaultLookup } from '../../eventsourcing/history.js';
import { LeaseLost, type Leases } from '../../eventsourcing/ports/leases.port.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import type { ParkedStream } from '../../eventsourcing/projection.js';
import type { PublicMessage, Publisher, TopicsState } from '../../eventsourcing/ports/publisher.port.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { createThrottle } from '../following/throttle.js';
import type { OperatorDecisions } from '../operating/operator-state.js';
import { meetRetryRequests } from '../operating/retry-requests.js';
import { PARKED_STREAMS } from '../projecting/parked-streams.js';
import { PublishedEnds, TopicsLost } from './published-ends.js';
import { ReadAhead } from '../following/read-ahead.js';
import { RelayHistory } from './relay-history.js';
import { moveSpread, watchForMove, type SpreadMoveDependencies } from './spread-move.js';
import { repeat } from '../following/repeat.js';
import { StoredPosition } from '../following/stored-position.js';
import { LEASE, runWhileLeader, type LeaseContext } from '../leases/run-while-leader.js';

/** The name of the relay's lease and of its checkpoint. */
export const RELAY = 'relay';

/** Maximum number of events published in one transaction. */
const BATCH = 2_000;
/** Number of events converted to messages between two yields to the event loop. A yield lets the previous batch be sent. */
const MESSAGES_PER_TURN = 100;
/** Milliseconds between two attempts to publish the waiting events of parked streams. The first attempt is at the start. */
const RETRY_EVERY = 60_000;
/** Milliseconds between two writes of the position. After a crash, messages since the last write are published again. */
const STORE_EVERY = 250;

export type RelayDependencies = {
  readonly store: Pick<EventStore, 'subscribe' | 'readStream'>;
  readonly codec: ReadCodec;
  /** The known broken streams, which have an altered or unreadable event. The codec records here each fault that it finds. */
  readonly faults: Pick<StreamFaultLookup, 'of'>;
  readonly onParked: (reader: string, parked: ParkedStream) => void;
  /** Returns the message for an event, or null if the event has no message. Throws for an unknown event. */
  readonly messageOf: (event: RecordedEvent) => PublicMessage | null;
  /** Opens a publisher and fences all older publishers: their messages are rejected from then on. */
  readonly openPublisher: () => Promise<Publisher>;
  readonly consumerStates: SpreadMoveDependencies['consumerStates'];
  readonly addPartitions: SpreadMoveDependencies['addPartitions'];
  /** Returns the current ends of the topics. */
  readonly topicsNow: () => Promise<TopicsState>;
  readonly documents: Pick<Documents, 'apply' | 'checkpoint' | 'get' | 'prepare' | 'texts'>;
  readonly decisions: Pick<OperatorDecisions, 'current' | 'onChange'>;
  readonly leases: Leases;
  /** The name under which this process acquires the lease. */
  readonly owner: string;
  readonly clock: Clock;
  /** Called for the first failure of each outage. The relay continues to retry. */
  readonly onError: (error: unknown) => void;
  /** Number of events per batch, 2,000 by default. */
  readonly batch?: number;
  /** Minimum milliseconds between the starts of two batches. A full batch does not wait. */
  readonly interval: number;
};

export type Relay = {
  /** Returns the position up to which everything is published, or null while another process is the relay. */
  position(): number | null;
  /** Returns why an operator must act before the relay publishes again. Null if the relay is not blocked. */
  blockedReason(): string | null;
  /** Finishes the current batch, stores the position and releases the lease. */
  stop(): Promise<void>;
};

/**
 * Publishes the log to topics in batches, from the stored position on. Stores the position after the brokers have
 * acknowledged a batch (contract 24.5). A lease makes one process at a time the relay. If that process crashes, another
 * process continues at the stored position: messages may be repeated in order, but no message is skipped (contract 22.4).
 *
 * At an event of an unknown type, the relay waits until a version of the software that knows the type is started. If topics
 * have lost messages, it publishes nothing until an operator acts. It parks a broken stream, and publishes the waiting events
 * once the stream is intact again.
 */
export const startRelay = (dependencies: RelayDependencies): Relay => {
  const status: Status = { position: null, blockedReason: null };
  const relayAsOwner = async (context: LeaseContext): Promise<void> => {
    try {
      await relayUntilAborted({ ...context, dependencies, status });
    } catch (error) {
      if (error instanceof TopicsLost) status.blockedReason = error.message;
      throw error;
    } finally {
      status.position = null;
    }
  };
  return {
    position: () => status.position,
    blockedReason: () => status.blockedReason,
    stop: runWhileLeader({ ...dependencies, name: RELAY }, relayAsOwner),
  };
};

type Status = { position: number | null; blockedReason: string | null };
type RelayContext = LeaseContext & { readonly dependencies: RelayDependencies; readonly status: Status };
type PublishContext = RelayContext & { readonly ends: PublishedEnds };

/**
 * Opens a publisher and publishes the log. Resolves when the lease is lost, the relay is stopped, or a move to more partitions is
 * requested, which the next run begins with.
 */
const relayUntilAborted = async (context: RelayContext): Promise<void> => {
  const { activeLease, dependencies, status } = context;
  // The ends are compared before `openPublisher`, which would create missing topics.
  const ends = await PublishedEnds.open(dependencies.documents, dependencies.topicsNow);
  status.blockedReason = null;
  await moveSpread(dependencies, AbortSignal.any([context.stopping, activeLease.lost]));
  const publisher = await dependencies.openPublisher();
  const moveRequested = new AbortController();
  const stopWatching = watchForMove(dependencies, moveRequested);
  try {
    // A successful extension shows that this process still owned the lease after it opened the publisher. So any later owner
    // opens a newer publisher, which fences this one. If the lease was lost meanwhile, nothing is published.
    if (!(await dependencies.leases.extend(activeLease.lease, LEASE))) return;
    status.position = await dependencies.documents.checkpoint(RELAY);
    const stopping = AbortSignal.any([context.stopping, moveRequested.signal]);
    await publishFrom(status.position, publisher, { ...context, stopping, ends });
  } finally {
    await stopWatching();
    await publisher.close();
  }
};

/** Publishes the log from a position on. It prepares the next batch while the previous batch is sent. */
const publishFrom = async (from: number, publisher: Publisher, context: PublishContext): Promise<void> => {
  const { activeLease, dependencies, stopping } = context;
  const { clock } = dependencies;
  await dependencies.documents.prepare(PARKED_STREAMS);
  const history = await RelayHistory.open(RELAY, dependencies, from);
  const failed = new AbortController();
  const signal = AbortSignal.any([stopping, activeLease.lost, failed.signal]);
  let sending: Promise<void> = Promise.resolve();
  const throttle = createThrottle(clock, dependencies.interval);
  // A batch that is not full waits until the previous batch was sent. Meanwhile, later events are added to the waiting batch.
  const waitUntilIdle = (): Promise<void> => throttle().then(() => sending.catch(() => undefined));
  const ahead = new ReadAhead(dependencies.store.subscribe(from, signal), dependencies.batch ?? BATCH, signal, waitUntilIdle);
  const batchOf = createBatcher(dependencies, history);
  const stored = createStoredPosition(from, context, () => failed.abort());
  const publishReleased = async (): Promise<number> => {
    const before = sending;
    sending = before.then(() => sendReleased(history, publisher, context));
    sending.catch(() => failed.abort());
    await sending;
    return RETRY_EVERY;
  };
  // A failed run aborts `failed` and makes `sending` reject, so `onError` has nothing to report.
  const onError = (): void => undefined;
  const stops = [
    repeat({ clock, firstDelay: 0, work: publishReleased, failureDelay: RETRY_EVERY, onError }),
    meetRetryRequests({ ...dependencies, names: [RELAY], retry: publishReleased, onError }),
  ];
  try {
    for (let events = await ahead.takeBatch(); events; events = await ahead.takeBatch()) {
      const batch = await batchOf(events);
      await sending;
      sending = sending.then(() => send(batch, publisher, context, stored));
      sending.catch(() => failed.abort());
      if (batch.failure) throw batch.failure.error;
    }
  } finally {
    failed.abort();
    await Promise.all(stops.map((stop) => stop()));
    try {
      await sending;
    } finally {
      await stored.end();
    }
  }
};

/** Creates the stored position from which the next relay continues. */
const createStoredPosition = (
  from: number,
  { activeLease, ends, dependencies: { documents, clock } }: PublishContext,
  onFailure: () => void,
): StoredPosition => {
  const store = async (position: number): Promise<void> => {
    await documents.apply([ends.write()], { name: RELAY, position, lease: activeLease.lease });
  };
  return new StoredPosition({ store, clock, interval: STORE_EVERY, onFailure }, from);
};

/** The messages of a batch of events, up to `position`. `failure` is the error if the next event cannot become a message. */
type Batch = {
  readonly messages: readonly PublicMessage[];
  /** The position of the last event that was handled. Null if the first event failed. */
  readonly position: number | null;
  readonly failure: { readonly error: unknown } | null;
};

const createBatcher =
  ({ messageOf }: RelayDependencies, history: RelayHistory): ((stored: readonly StoredEvent[]) => Promise<Batch>) =>
  async (stored) => {
    const messages: PublicMessage[] = [];
    let position: number | null = null;
    for (let from = 0; from < stored.length; from += MESSAGES_PER_TURN) {
      if (from > 0) await yieldToEventLoop();
      const some = stored.slice(from, from + MESSAGES_PER_TURN);
      for (const event of await history.read(some)) {
        try {
          const message = messageOf(event);
          if (message) messages.push(message);
        } catch (error) {
          return { messages, position, failure: { error } };
        }
        ({ position } = event);
      }
      position = some.at(-1)?.position ?? position;
    }
    return { messages, position, failure: null };
  };

/** Publishes the waiting events of parked streams that are intact again. Must be called after the previous batch was sent. */
const sendReleased = async (
  history: RelayHistory,
  publisher: Publisher,
  { dependencies, activeLease, ends }: PublishContext,
): Promise<void> => {
  for await (const { events, markPublished } of history.releasedStreams()) {
    const messages = events.flatMap((event) => dependencies.messageOf(event) ?? []);
    if (!activeLease.isValid()) throw new LeaseLost('the relay’s lease expired before its batch was sent');
    for (let from = 0; from < messages.length; from += BATCH) ends.advanceTo(await publisher.publish(messages.slice(from, from + BATCH)));
    await markPublished();
  }
};

const send = async (
  { messages, position }: Batch,
  publisher: Publisher,
  { activeLease, ends, status, outages }: PublishContext,
  stored: StoredPosition,
): Promise<void> => {
  if (position === null) return;
  if (!activeLease.isValid()) throw new LeaseLost('the relay’s lease expired before its batch was sent');
  if (messages.length > 0) ends.advanceTo(await publisher.publish(messages));
  stored.advanceTo(position);
  status.position = position;
  outages.reportRecovery();
};
