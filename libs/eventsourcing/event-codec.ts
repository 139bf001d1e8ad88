import type { CommandContext, Message, RecordedEvent } from './message.js';
import type { EncodedEvent, ExpectedRevision, StoredEvent } from './ports/event-store.port.js';

/** Revision and hash of a stream's last event. The next event is chained to this hash. An empty stream has the hash ''. */
export type StreamEnd = { readonly revision: ExpectedRevision; readonly hash: string };

/** An event that was just appended. Unlike an event that was read from the log, it has no position. */
export type AppendedEvent<E extends Message = Message> = Omit<RecordedEvent<E>, 'position'> & E;

/** The events that operators have skipped: read models and consumers leave them out (contract 43.8). */
export type SkippedEvents = {
  /** Returns the read models and consumers that leave an event out. Undefined: none. */
  readonly skippedBy: (event: Pick<StoredEvent, 'stream' | 'revision' | 'id'>) => readonly string[] | undefined;
  /** Returns the revisions of a stream that a read model or consumer leaves out, in ascending order. */
  readonly skippedRevisions: (name: string, stream: string) => readonly number[];
};

export const NONE_SKIPPED: SkippedEvents = { skippedBy: () => undefined, skippedRevisions: () => [] };

/** Converts between domain events and stored events: versions, metadata, hash chain, sealing of personal fields. */
export abstract class EventCodec {
  /** Encodes the events that follow `end`. Returns the stored and the recorded form of each, and the new end of the stream. */
  abstract encode(
    stream: string,
    end: StreamEnd,
    events: readonly Message[],
    context: CommandContext,
  ): Promise<{ readonly encoded: readonly EncodedEvent[]; readonly recorded: readonly AppendedEvent[]; readonly end: StreamEnd }>;
  /**
   * Upcasts the event's data to the current shape. Personal fields stay sealed. Throws BrokenHistory if the type or the
   * schema version is unknown. An event that is skipped names those that leave it out.
   */
  abstract decode(event: StoredEvent): RecordedEvent;
  /** Returns the revisions of a stream that a read model or consumer leaves out now, in ascending order. */
  abstract skippedRevisions(name: string, stream: string): readonly number[];
  /**
   * Verifies the event and its link to `previousHash`, and returns its hash. Throws BrokenHistory if the history was altered.
   */
  abstract verify(event: StoredEvent, previousHash: string): string;
  /**
   * Verifies the event without its link to the previous event, and returns its hash. A reader that starts after this event
   * needs the hash to verify the next event. Throws BrokenHistory if the event was altered.
   */
  abstract hashOf(event: StoredEvent): string;
}

/** The part of the codec that readers of the log need. */
export type ReadCodec = Pick<EventCodec, 'verify' | 'hashOf' | 'decode' | 'skippedRevisions'>;
