import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { EventBatch, StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';
import type { ReadCall } from '../connection/connection.js';
import { placeOf, type Place } from './read-requests.js';
import { storedEventOf } from '../connection/wire.js';

/** A batch holds at most so many events. */
const BATCH = 1_000;
/** What the server sends waits here, up to so many messages or characters; then the server waits. */
const WAITING_MESSAGES = 2_000;
const WAITING_CHARACTERS = 8_000_000;

/** How far a subscription was handed over, over all its connections, and whether it was told that the log held no more. */
export type Progress = { after: number; told: boolean };

type Waiting = { readonly place: Place; readonly event: StoredEvent | null };

/** One connection's part of a subscription: what arrived and was not handed over yet. */
export class Feed {
  /** Where a new connection goes on: after what was handed over, and what was passed by as not one's own. */
  place: Place | null;
  private readonly waiting: Waiting[] = [];
  private characters = 0;
  private reached: number;
  private live = false;
  private failure: { readonly error: unknown } | null = null;
  private looking: (() => void)[] = [];

  constructor(
    private readonly call: ReadCall,
    private readonly progress: Progress,
    place: Place | null,
  ) {
    this.place = place;
    this.reached = progress.after;
    call.on('data', (message: ReadResp) => this.arrived(message));
    call.on('error', (error) => this.fail(error));
    call.on('end', () => this.fail(new Error('the server ended the subscription')));
  }

  /** The next batch, null once `signal` aborts; rejects when the connection failed and all that came before was handed over. */
  async next(signal: AbortSignal): Promise<EventBatch | null> {
    while (!signal.aborted) {
      const events = this.take();
      const caughtUp = this.live && this.waiting.length === 0;
      // "The first batch that reaches the end says caughtUp (also when it is empty)."
      if (events.length > 0 || (caughtUp && !this.progress.told)) {
        this.progress.told = caughtUp;
        return { events, caughtUp };
      }
      if (this.failure) throw this.failure.error;
      await this.change(signal);
    }
    return null;
  }

  /** Resolves once an event at `position` or later has arrived, or there is no need to wait for it any more. */
  async arrival(position: number): Promise<'arrived' | 'needless'> {
    while (this.reached < position && !this.live && !this.failure) await this.change();
    return this.live || this.failure ? 'needless' : 'arrived';
  }

  /** Says that the log holds no more than what arrived. */
  reachedTheEnd(): void {
    this.live = true;
    this.changed();
  }

  /** Ends the connection's part. */
  close(): void {
    this.fail(new Error('the subscription has ended'));
    this.call.cancel();
  }

  private arrived(message: ReadResp): void {
    try {
      this.takeIn(message);
    } catch (error) {
      this.fail(error);
      this.call.cancel();
    }
    this.changed();
  }

  private takeIn(message: ReadResp): void {
    if (message.hasCaughtUp()) this.live = true;
    if (message.hasFellBehind()) this.live = false;
    const checkpoint = message.getCheckpoint();
    if (checkpoint) this.wait({ place: { commit: checkpoint.getCommitPosition(), prepare: checkpoint.getPreparePosition() }, event: null });
    const event = storedEventOf(message);
    // "Nothing is skipped", and nothing is told twice when a server begins at the place itself.
    if (event && event.position > this.reached) {
      this.reached = event.position;
      this.wait({ place: placeOf(event.position), event });
    }
  }

  private wait(item: Waiting): void {
    this.waiting.push(item);
    this.characters += sizeOf(item);
    if (this.waiting.length >= WAITING_MESSAGES || this.characters >= WAITING_CHARACTERS) this.call.pause();
  }

  private take(): readonly StoredEvent[] {
    const items = this.waiting.splice(0, BATCH);
    for (const item of items) this.characters -= sizeOf(item);
    if (this.call.isPaused() && this.waiting.length === 0) this.call.resume();
    this.place = items.at(-1)?.place ?? this.place;
    const events = items.flatMap(({ event }) => (event ? [event] : []));
    this.progress.after = events.at(-1)?.position ?? this.progress.after;
    return events;
  }

  private fail(error: unknown): void {
    this.failure ??= { error };
    this.changed();
  }

  private changed(): void {
    for (const look of this.looking.splice(0)) look();
  }

  private change(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        signal?.removeEventListener('abort', look);
        resolve();
      };
      this.looking.push(look);
      signal?.addEventListener('abort', look);
    });
  }
}

const sizeOf = ({ event }: Waiting): number => (event ? event.data.length + event.metadata.length : 0);
