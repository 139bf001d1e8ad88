import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/handle.js';
import type { StreamFaultLookup } from '../../eventsourcing/history.js';
import { LeaseLost, type Leases } from '../../eventsourcing/ports/leases.port.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import type { ParkedStream } from '../../eventsourcing/projection.js';
import type { PublicMessage, Publisher, TopicsNow } from '../../eventsourcing/ports/publisher.port.js';
import { yieldToEventLoop } from '../../eventsourcing/yield-to-event-loop.js';
import { paced } from '../following/pace.js';
import { PARKED_STREAMS } from '../projecting/parked-streams.js';
import { PublishedEnds, TopicsLost } from './published-ends.js';
import { ReadAhead } from '../following/read-ahead.js';
import { RelayHistory } from './relay-history.js';
import { repeat } from '../following/repeat.js';
import { StoredPosition } from '../following/stored-position.js';
import { LEASE, whileLeased, type Holding } from '../leases/run-while-leader.js';

/** The relay's lease and its stored position go by this name. */
export const RELAY = 'relay';

/** Events told in one transaction. */
const BATCH = 2_000;
/** Messages made at a time: in between the batch before them goes on its way. */
const MADE_AT_ONCE = 100;
/** What waits of broken streams is looked at at the start, and then this often. */
const RETRY_EVERY = 60_000;
/** Between two times that the position is stored: what was told in between is told again after a kill. */
const STORE_EVERY = 250;

export type RelayParts = {
  readonly store: Pick<EventStore, 'subscribe' | 'readStream'>;
  readonly codec: ReadCodec;
  /** The broken streams; what the codec finds is noted there. */
  readonly faults: Pick<StreamFaultLookup, 'of'>;
  readonly onParked: (reader: string, parked: ParkedStream) => void;
  /** What outsiders are told of an event; null for nothing. Throws for an event it does not know. */
  readonly messageOf: (event: RecordedEvent) => PublicMessage | null;
  /** Begins a publisher that fences every older one. */
  readonly openPublisher: () => Promise<Publisher>;
  /** Where the topics end now. */
  readonly topicsNow: () => Promise<TopicsNow>;
  readonly documents: Pick<Documents, 'apply' | 'checkpoint' | 'get' | 'prepare' | 'texts'>;
  readonly leases: Leases;
  /** Names this process among those who may relay. */
  readonly holder: string;
  readonly clock: Clock;
  /** Told of the first failure of each outage; the relay goes on trying. */
  readonly onError: (error: unknown) => void;
  /** How many events at a time; 2,000 unless told. */
  readonly batch?: number;
  /** Milliseconds from the start of one batch to the start of the next, at the least. */
  readonly every: number;
};

export type Relay = {
  /** The position up to which everything is told, while this process is the one that tells; null while it stands by. */
  position(): number | null;
  /** Why it publishes nothing until an operator acts; null while nothing is wrong. */
  refusal(): string | null;
  /** Finishes the batch in hand, stores its position and lets go of the lease. */
  stop(): Promise<void>;
};

/**
 * Tells outsiders what happens: reads the log from its stored position, makes messages of it, publishes them in
 * batches and stores the position "after the ack". One process does it at a time, by lease; another takes over where the
 * stored position is. So some batches may be told twice, in order ("at least once, stable ids, order per key"), and none is left out: an
 * event that no contract knows stops the relay until that is mended, and so do topics that lack what was published to
 * them. A broken stream is parked, and what waits of it is published once it is whole again.
 */
export const startRelay = (parts: RelayParts): Relay => {
  const status: Status = { position: null, refusal: null };
  const relaying = async (holding: Holding): Promise<void> => {
    try {
      await relayWhile({ ...holding, parts, status });
    } catch (error) {
      if (error instanceof TopicsLost) status.refusal = error.message;
      throw error;
    } finally {
      status.position = null;
    }
  };
  return { position: () => status.position, refusal: () => status.refusal, stop: whileLeased({ ...parts, name: RELAY }, relaying) };
};

type Status = { position: number | null; refusal: string | null };
type Telling = Holding & { readonly parts: RelayParts; readonly status: Status };
type Publishing = Telling & { readonly ends: PublishedEnds };

/** Resolves when the lease is lost or the relay is stopped. */
const relayWhile = async (telling: Telling): Promise<void> => {
  const { held, parts, status } = telling;
  // Before topics that are missing are made again.
  const ends = await PublishedEnds.open(parts.documents, parts.topicsNow);
  status.refusal = null;
  const publisher = await parts.openPublisher();
  try {
    // The lease is extended after the publisher has begun: so a later owner begins a later publisher, which fences this one.
    // A relay that slept in between has fenced another for nothing, and publishes nothing.
    if (!(await parts.leases.extend(held.lease, LEASE))) return;
    status.position = await parts.documents.checkpoint(RELAY);
    await tell(status.position, publisher, { ...telling, ends });
  } finally {
    await publisher.close();
  }
};

/** While one batch is on its way, the next is read and made ready. */
const tell = async (from: number, publisher: Publisher, telling: Publishing): Promise<void> => {
  const { held, parts, stopping } = telling;
  await parts.documents.prepare(PARKED_STREAMS);
  const history = await RelayHistory.begin(RELAY, parts, from);
  const failed = new AbortController();
  const signal = AbortSignal.any([stopping, held.lost, failed.signal]);
  let sending: Promise<void> = Promise.resolve();
  const pace = paced(parts.clock, parts.every);
  // What is less than a batch would only wait once it is made ready: what comes meanwhile goes with it.
  const nothingOnItsWay = (): Promise<void> => pace().then(() => sending.catch(() => undefined));
  const ahead = new ReadAhead(parts.store.subscribe(from, signal), parts.batch ?? BATCH, signal, nothingOnItsWay);
  const batchOf = batchesBy(parts, history);
  const stored = positionOf(from, telling, () => failed.abort());
  const publishMended = async (): Promise<number> => {
    const before = sending;
    sending = before.then(() => sendMended(history, publisher, telling));
    sending.catch(() => failed.abort());
    await sending;
    return RETRY_EVERY;
  };
  const stopRetrying = repeat({ clock: parts.clock, first: 0, work: publishMended, afterFailure: RETRY_EVERY, onError: () => undefined });
  try {
    for (let events = await ahead.take(); events; events = await ahead.take()) {
      const batch = await batchOf(events);
      await sending;
      sending = sending.then(() => send(batch, publisher, telling, stored));
      sending.catch(() => failed.abort());
      if (batch.failure) throw batch.failure.error;
    }
  } finally {
    failed.abort();
    await stopRetrying();
    await sending.finally(() => stored.end());
  }
};

/** Where the next relay goes on. */
const positionOf = (from: number, { held, ends, parts: { documents, clock } }: Publishing, onFailure: () => void): StoredPosition => {
  const store = async (position: number): Promise<void> => {
    await documents.apply([ends.write()], { name: RELAY, position, lease: held.lease });
  };
  return new StoredPosition({ store, clock, every: STORE_EVERY, onFailure }, from);
};

/** What a batch of events comes to; a failure is that of the first event after `position`. */
type Batch = {
  readonly messages: readonly PublicMessage[];
  /** Null when not even the first event could be told. */
  readonly position: number | null;
  readonly failure: { readonly error: unknown } | null;
};

const batchesBy =
  ({ messageOf }: RelayParts, history: RelayHistory): ((stored: readonly StoredEvent[]) => Promise<Batch>) =>
  async (stored) => {
    const messages: PublicMessage[] = [];
    let position: number | null = null;
    for (let from = 0; from < stored.length; from += MADE_AT_ONCE) {
      if (from > 0) await yieldToEventLoop();
      const some = stored.slice(from, from + MADE_AT_ONCE);
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

/** What waited of streams that are whole again, each after what was sent before. */
const sendMended = async (history: RelayHistory, publisher: Publisher, { parts, held, ends }: Publishing): Promise<void> => {
  for await (const { events, published } of history.mended()) {
    const messages = events.flatMap((event) => parts.messageOf(event) ?? []);
    if (!held.isHeld()) throw new LeaseLost('the relay’s lease may be another’s by now');
    for (let from = 0; from < messages.length; from += BATCH) ends.reach(await publisher.publish(messages.slice(from, from + BATCH)));
    await published();
  }
};

const send = async (
  { messages, position }: Batch,
  publisher: Publisher,
  { held, ends, status, outages }: Publishing,
  stored: StoredPosition,
): Promise<void> => {
  if (position === null) return;
  if (!held.isHeld()) throw new LeaseLost('the relay’s lease may be another’s by now');
  if (messages.length > 0) ends.reach(await publisher.publish(messages));
  stored.reach(position);
  status.position = position;
  outages.over();
};
