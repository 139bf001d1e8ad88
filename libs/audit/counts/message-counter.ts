import { dayOf } from '../../eventsourcing/day.js';
import {
  COUNT_STREAM,
  type CountEvent,
  type CountState,
  type LogPlace,
  type MessageCount,
} from '../../domain/checkpoints/checkpoint.events.js';
import type { StreamEnd } from '../../eventsourcing/event-codec.js';
import type { EncodedEvent, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { Ids } from '../../eventsourcing/ports/ids.port.js';
import { previousHashOf } from '../../runtime/codec/verified-history.js';
import { findLastEvent, type CheckpointedLog } from '../checkpoints/checkpoint-log.js';
import { signCount, type ProofKey } from '../proof/signing.js';
import { tallyMessages, type Tally, type TopicLookup } from './tally.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { repeat } from '../../runtime/following/repeat.js';

/** The actor in the metadata of the events that contain counts. */
const SERVICE = 'service';
/** The maximum number of counts in one append. */
const CHUNK = 100;

export type MessageCounterDependencies = CheckpointedLog & {
  readonly ids: Ids;
  readonly storeId: string;
  /** Returns the key that currently signs. */
  readonly signingKey: () => Promise<ProofKey>;
  readonly topicOf: TopicLookup;
};

type LastCount = { readonly count: MessageCount; readonly state: CountState; readonly end: StreamEnd };

const NO_PLACE: LogPlace = { position: 0, id: '' };
const NOTHING_COUNTED: CountState = { openDay: '', last: NO_PLACE, from: NO_PLACE };

/** Counts the messages of the topics, by tenant and day, and appends the signed counts (contract 35.7). */
export class MessageCounter {
  constructor(private readonly dependencies: MessageCounterDependencies) {}

  /**
   * Counts the messages of the days before `openDay` (UTC) that are not counted yet. The counts of one call are a set. If an
   * earlier call did not append its whole set, first appends the rest of that set. If `signal` aborts, stops after the current
   * append. If another process appends counts at the same time, stops too, or rejects if the log had no counts before.
   */
  async countUntil(openDay: string, signal?: AbortSignal): Promise<void> {
    let last = await this.readLast();
    if (last && last.count.part < last.count.parts) last = await this.finish(last, signal);
    if (signal?.aborted || (last && last.state.openDay >= openDay)) return;
    const set = await tallyMessages(this.dependencies, { before: last?.state ?? NOTHING_COUNTED, openDay, signal });
    if (set && (last || set.rows.length > 0)) await this.append(set, last, 0, signal);
  }

  /**
   * Appends the missing counts of an interrupted set. Computes the whole set again from the same events, so the counts are the
   * same as without the interruption.
   */
  private async finish(last: LastCount, signal?: AbortSignal): Promise<LastCount> {
    const { count, state } = last;
    const first = count.index - count.part + 1;
    const [previous] = first === 0 ? [] : await this.dependencies.store.readStream(COUNT_STREAM, first - 1, 1);
    const before = previous ? this.dataOf(previous).state : NOTHING_COUNTED;
    const set = await tallyMessages(this.dependencies, { before, openDay: state.openDay, end: state.last, signal });
    if (!set) return last;
    if (set.rows.length !== count.parts)
      throw new Error('the log has changed since its messages were counted: run "petstore audit verify"');
    return this.append({ ...set, state }, last, count.part, signal);
  }

  /** Appends the rows of a set, except for the first `done` rows, which are in the log already. */
  private async append({ rows, state }: Tally, before: LastCount | null, done: number, signal?: AbortSignal): Promise<LastCount> {
    const { store, storeId } = this.dependencies;
    const key = await this.dependencies.signingKey();
    let last = before;
    for (let next = done; next < rows.length && !signal?.aborted; next += CHUNK) {
      let end: StreamEnd = last?.end ?? { revision: 'none', hash: '' };
      const events: EncodedEvent[] = [];
      let count = last?.count;
      for (const [offset, row] of rows.slice(next, next + CHUNK).entries()) {
        const part = next + offset + 1;
        const signed = signCount(key, { store: storeId, index: (count?.index ?? -1) + 1, part, parts: rows.length, ...row });
        const added = await this.encode({ ...signed, state }, end);
        events.push(...added.encoded);
        ({ end } = added);
        ({ count } = signed);
      }
      const result = await store.append(COUNT_STREAM, last?.end.revision ?? 'none', events);
      if (result.kind !== 'appended' || !count) break;
      last = { count, state, end };
    }
    if (!last) throw new Error('another process has counted the messages at the same time');
    return last;
  }

  private encode(data: CountEvent['data'], end: StreamEnd) {
    const id = this.dependencies.ids.next();
    const context = { tenant: data.count.tenant, actor: SERVICE, correlationId: id, causationId: id };
    return this.dependencies.codec.encode(COUNT_STREAM, end, [{ type: 'MessagesCounted', data } satisfies CountEvent], context);
  }

  /** Returns the last count, or null if the log has none. Rejects with BrokenHistory if its event was altered. */
  private async readLast(): Promise<LastCount | null> {
    const { store, codec } = this.dependencies;
    const stored = await findLastEvent(store, COUNT_STREAM);
    if (!stored) return null;
    const hash = codec.verify(stored, await previousHashOf({ store, codec }, stored));
    const { count, state } = this.dataOf(stored);
    return { count, state, end: { revision: stored.revision, hash } };
  }

  private dataOf(event: StoredEvent): CountEvent['data'] {
    return this.dependencies.codec.decode(event).data as CountEvent['data'];
  }
}

/** Milliseconds between two checks whether another day can be counted. */
const INTERVAL = 60_000;
/**
 * Milliseconds from the end of a day (UTC) until its messages are counted. A process whose clock is slow may append events of a
 * day after the end of that day.
 */
const CLOSING_DELAY = 600_000;

export type CountsPorts = {
  readonly messageCounter: Pick<MessageCounter, 'countUntil'>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
};

/**
 * Counts the messages of each day (UTC) after its end. After an outage, also counts the earlier days that no process has
 * counted (contract 35.7). Returns a function that stops the counting.
 */
export const startCounts = ({ messageCounter, clock, onError }: CountsPorts): (() => Promise<void>) => {
  const stopping = new AbortController();
  let countedUntil = '';
  const work = async (): Promise<number> => {
    // The first day that is too recent to be counted.
    const openDay = dayOf(clock.now().getTime() - CLOSING_DELAY);
    if (openDay > countedUntil) await messageCounter.countUntil(openDay, stopping.signal);
    countedUntil = openDay;
    return INTERVAL;
  };
  const stop = repeat({ clock, firstDelay: INTERVAL, work, failureDelay: INTERVAL, onError });
  return () => {
    stopping.abort();
    return stop();
  };
};
