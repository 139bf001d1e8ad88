import type { HistoryFault } from '../../eventsourcing/history.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { PublicMessage, Publisher } from '../../eventsourcing/ports/publisher.port.js';
import { HistoryReader } from '../codec/history-reader.js';
import type { VerifiedLog } from '../codec/verified-history.js';

/** Number of events that are read at once, and the maximum number of messages in one transaction. */
const PAGE = 1_000;

/** Selects the events whose messages are published again: events of the included streams, from `from` on and before `to`. */
export type ReplayRange = {
  readonly isIncluded: (stream: string) => boolean;
  readonly from: Date;
  readonly to: Date;
};

export type ReplayDependencies = VerifiedLog & {
  readonly store: Pick<EventStore, 'readAll'>;
  /** Returns the message for an event, or null if the event has no message. */
  readonly messageOf: (event: RecordedEvent) => PublicMessage | null;
  readonly publisher: Pick<Publisher, 'publish'>;
  /** The position up to which the relay has published. Later events are left to the relay. */
  readonly upTo: number;
  /** The value of the attribute `replayedat`. */
  readonly replayedAt: Date;
  readonly onProgress: (position: number) => void;
};

/**
 * The number of messages that were published again, and the faults of broken streams. Of a broken stream, only the events before
 * its fault were replayed.
 */
export type ReplayResult = { readonly published: number; readonly faults: readonly HistoryFault[] };

/**
 * Publishes messages again, with the same ids and in the same order for each key. The attribute `replayedat` marks the
 * repeated messages (contract 22.8). Meanwhile the relay may publish new messages.
 */
export const replayMessages = async ({ isIncluded, from, to }: ReplayRange, dependencies: ReplayDependencies): Promise<ReplayResult> => {
  const { store, messageOf, publisher, upTo, replayedAt, onProgress } = dependencies;
  const reader = new HistoryReader(dependencies);
  const faults = new Map<string, HistoryFault>();
  const [first, end, replayedat] = [from, to, replayedAt].map((time) => time.toISOString()) as [string, string, string];
  let published = 0;
  for (let position = 0; position < upTo;) {
    const page = (await store.readAll(position, PAGE)).filter((event) => event.position <= upTo);
    const read = await reader.read(page, (stream) => faults.has(stream) || !isIncluded(stream));
    for (const fault of read.faults) faults.set(fault.stream, fault);
    const messages = read.events
      .filter(({ meta: { time } }) => time >= first && time < end)
      .flatMap((event) => messageOf(event) ?? [])
      .map((message) => ({ ...message, attributes: { ...message.attributes, replayedat } }));
    if (messages.length > 0) await publisher.publish(messages);
    published += messages.length;
    position = page.at(-1)?.position ?? upTo;
    onProgress(position);
  }
  return { published, faults: [...faults.values()] };
};
