import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { charactersOf, firstWithin } from '../following/event-batches.js';
import type { SerialQueue } from '../../eventsourcing/scheduling/serial-queue.js';
import type { ProjectionEngine } from './projection-engine.js';

/**
 * Events per batch. A large batch saves writes: a document that several events of the batch change is written only once. A larger
 * one than this takes memory, and saves no time.
 */
const BATCH = 500;
/**
 * Maximum characters of the events of a batch. They are in memory several times: as rows, events, documents and statements, of two
 * batches at a time.
 */
const MAX_CHARACTERS = 500_000;
/**
 * Events per batch while requests are served. The batch is small, because requests wait until it is done. With twice as many, a rebuild
 * takes a third less time, and the slowest of a hundred reads half as long again.
 */
export const SMALL_BATCH = 120;

export type CatchUpOptions = {
  readonly signal?: AbortSignal;
  /** Number of events per batch. */
  readonly batch?: number;
  /** Called after each batch with the position reached. */
  readonly onProgress?: (position: number) => void;
  /** Runs the work on a batch when nothing else changes the read models. Default: nothing else does. */
  readonly exclusively?: SerialQueue;
};

/**
 * Applies the log to the read models of an engine, from their stored positions to the end of the log. After a stop, the next call
 * continues after the last batch that was stored. The next batch is read and applied while the previous one is stored. Returns the
 * position reached.
 */
export const catchUp = async (
  events: Pick<EventStore, 'readAll'>,
  engine: ProjectionEngine,
  { signal, batch = BATCH, onProgress, exclusively = (work) => work() }: CatchUpOptions,
): Promise<number> => {
  let position = engine.position();
  let limit = batch;
  while (!signal?.aborted) {
    const stored = firstWithin(await events.readAll(position, limit), limit, MAX_CHARACTERS);
    limit = limitAfter(stored, batch);
    const last = stored.at(-1);
    if (!last) {
      if (engine.isIdle() && !engine.hasUnstoredPosition()) break;
      // An event may be appended meanwhile. The read models then are not at the end of the log, and the event is read next.
      await engine.store();
      continue;
    }
    await exclusively(() => engine.begin(stored));
    position = last.position;
    onProgress?.(position);
    await yieldToEventLoop();
  }
  await engine.store();
  return position;
};

/** Returns how many events to read next, so that few of them are read in vain: as many as fit if they are like the last ones. */
const limitAfter = (batch: readonly StoredEvent[], maxEvents: number): number => {
  const characters = charactersOf(batch);
  return characters === 0 ? maxEvents : Math.min(maxEvents, Math.max(1, Math.floor((batch.length * MAX_CHARACTERS) / characters)));
};
