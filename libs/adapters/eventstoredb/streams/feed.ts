import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { EventBatch, StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';
import type { ReadCall } from '../connection/connection.js';
import { logPositionOf, type LogPosition } from './read-requests.js';
import { storedEventOf } from '../connection/wire.js';

/** Maximum number of events in a batch. */
const BATCH_SIZE = 1_000;
/** Maximum numbers of messages and characters in the queue. The call is paused when either number is reached. */
const MAX_QUEUED_MESSAGES = 2_000;
const MAX_QUEUED_CHARACTERS = 8_000_000;

/**
 * The state that a subscription keeps when it reconnects: the position of the last returned event, and whether the last
 * returned batch had `caughtUp` set.
 */
export type Progress = { after: number; hasReportedCaughtUp: boolean };

type QueuedMessage = { readonly position: LogPosition; readonly event: StoredEvent | null };

/** One connection of a subscription, with the queue of received events that are not yet returned. */
export class Feed {
  /** Where the next connection starts: after the last returned event or checkpoint. Null is the beginning of the log. */
  position: LogPosition | null;
  private readonly queue: QueuedMessage[] = [];
  private characters = 0;
  /** The position of the last received event. */
  private reached: number;
  /** Whether the end of the log is reached. */
  private live = false;
  private failure: { readonly error: unknown } | null = null;
  private watchers: (() => void)[] = [];

  constructor(
    private readonly call: ReadCall,
    private readonly progress: Progress,
    position: LogPosition | null,
    private readonly streamPrefix: string,
  ) {
    this.position = position;
    this.reached = progress.after;
    call.on('data', (message: ReadResp) => this.onMessage(message));
    call.on('error', (error) => this.fail(error));
    call.on('end', () => this.fail(new Error('the server ended the subscription')));
  }

  /**
   * Returns the next batch, or null when `signal` aborts. Rejects when the connection has failed and the
   * queue is empty.
   */
  async next(signal: AbortSignal): Promise<EventBatch | null> {
    while (!signal.aborted) {
      const events = this.takeBatch();
      const caughtUp = this.live && this.queue.length === 0;
      // The first batch at the end of the log reports `caughtUp`, even when it has no events.
      if (events.length > 0 || (caughtUp && !this.progress.hasReportedCaughtUp)) {
        this.progress.hasReportedCaughtUp = caughtUp;
        return { events, caughtUp };
      }
      if (this.failure) throw this.failure.error;
      await this.nextChange(signal);
    }
    return null;
  }

  /**
   * Resolves with `arrived` when an event at `position` or later is received, and with `not-needed` when the
   * feed has caught up or failed.
   */
  async waitForArrival(position: number): Promise<'arrived' | 'not-needed'> {
    while (this.reached < position && !this.live && !this.failure) await this.nextChange();
    return this.live || this.failure ? 'not-needed' : 'arrived';
  }

  /** Marks the subscription as caught up. */
  markCaughtUp(): void {
    this.live = true;
    this.notifyWatchers();
  }

  /** Ends this connection of the subscription. */
  close(): void {
    this.fail(new Error('the subscription has ended'));
    this.call.cancel();
  }

  private onMessage(message: ReadResp): void {
    try {
      this.accept(message);
    } catch (error) {
      this.fail(error);
      this.call.cancel();
    }
    this.notifyWatchers();
  }

  private accept(message: ReadResp): void {
    if (message.hasCaughtUp()) this.live = true;
    if (message.hasFellBehind()) this.live = false;
    const checkpoint = message.getCheckpoint();
    if (checkpoint)
      this.enqueue({ position: { commit: checkpoint.getCommitPosition(), prepare: checkpoint.getPreparePosition() }, event: null });
    const event = storedEventOf(message, this.streamPrefix);
    // Skips events that were already received: a server may include the event at the start position.
    if (event && event.position > this.reached) {
      this.reached = event.position;
      this.enqueue({ position: logPositionOf(event.position), event });
    }
  }

  private enqueue(item: QueuedMessage): void {
    this.queue.push(item);
    this.characters += sizeOf(item);
    if (this.queue.length >= MAX_QUEUED_MESSAGES || this.characters >= MAX_QUEUED_CHARACTERS) this.call.pause();
  }

  private takeBatch(): readonly StoredEvent[] {
    const items = this.queue.splice(0, BATCH_SIZE);
    for (const item of items) this.characters -= sizeOf(item);
    // Resumes only after the queue is empty, so that the call is not paused and resumed for each batch.
    if (this.call.isPaused() && this.queue.length === 0) this.call.resume();
    this.position = items.at(-1)?.position ?? this.position;
    const events = items.flatMap(({ event }) => (event ? [event] : []));
    this.progress.after = events.at(-1)?.position ?? this.progress.after;
    return events;
  }

  private fail(error: unknown): void {
    this.failure ??= { error };
    this.notifyWatchers();
  }

  private notifyWatchers(): void {
    for (const notify of this.watchers.splice(0)) notify();
  }

  /** Resolves after the next message or failure, when the subscription has caught up, or when `signal` aborts. */
  private nextChange(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const notify = (): void => {
        signal?.removeEventListener('abort', notify);
        resolve();
      };
      this.watchers.push(notify);
      signal?.addEventListener('abort', notify);
    });
  }
}

const sizeOf = ({ event }: QueuedMessage): number => (event ? event.data.length + event.metadata.length : 0);
