import type { EventCodec } from '../../eventsourcing/event-codec.js';
import { positionBefore } from '../../deliveries/redelivery/positions-by-time.js';
import { BrokenHistory } from '../../eventsourcing/history.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { recordedTimeOf } from '../../runtime/codec/monotonic-clock.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';

/** A further condition, which may have to read streams. `hasTime` says whether another event may be checked. */
export type EventCheck = {
  readonly accepts: (event: RecordedEvent) => Promise<boolean>;
  readonly hasTime: () => boolean;
};

const NO_CHECK: EventCheck = { accepts: () => Promise.resolve(true), hasTime: () => true };

/** Milliseconds by which the clocks of two processes may differ. A search begins so much earlier than a time, and ends so much later. */
const MAX_SKEW = 300_000;

/** The maximum number of events that one request reads. */
const MAX_READ = 10_000;
const BATCH = 1_000;

/** The conditions on events. An event must meet all of them. */
export type LogFilter = {
  /** Null for the events of all tenants. */
  readonly tenant: string | null;
  readonly type?: string;
  readonly actor?: string;
  /** The earliest time of an event, inclusive. ISO 8601 in UTC, as in events. */
  readonly from?: string;
  /** Events must be earlier than this time. ISO 8601 in UTC. */
  readonly to?: string;
  /** The id of the request that caused the events, directly or indirectly. */
  readonly requestId?: string;
  /** The id of an event, or of the request that caused it. */
  readonly anyId?: string;
};

/** Events in the order of the log. The next page begins after the position `next`, which is null at the end of the log. */
type LogPage = { readonly events: readonly RecordedEvent[]; readonly next: number | null };

type Log = { readonly store: Pick<EventStore, 'readAll'>; readonly codec: Pick<EventCodec, 'hashOf' | 'decode'> };

/**
 * Returns up to `limit` events that follow a position and meet the conditions. Reads at most about MAX_READ events, and ends when
 * `check` has no more time, so a page may be short although more events follow. Events that were altered or cannot be read are
 * left out.
 */
export const scanLog = async (
  { store, codec }: Log,
  filter: LogFilter,
  after: number,
  limit: number,
  check: EventCheck = NO_CHECK,
): Promise<LogPage> => {
  const events: RecordedEvent[] = [];
  let next = after;
  for (let read = 0; read < MAX_READ;) {
    const batch = await store.readAll(next, BATCH);
    if (batch.length === 0) return { events, next: null };
    for (const stored of batch) {
      next = stored.position;
      const event = matches(stored, filter) ? readIntact(codec, stored) : null;
      if (!event) continue;
      if (await check.accepts(event)) events.push(event);
      if (events.length === limit || !check.hasTime()) return { events, next };
    }
    if (isBeyond(batch.at(-1), filter)) return { events, next: null };
    read += batch.length;
    await yieldToEventLoop();
  }
  return { events, next };
};

/** Returns a position after which all events are that were recorded at `time` or later. So a long log is not read from its beginning. */
export const searchStart = (log: Pick<EventStore, 'readAll'>, codec: Pick<EventCodec, 'decode'>, time: string): Promise<number> =>
  positionBefore({ store: log, codec }, new Date(Date.parse(time) - MAX_SKEW).toISOString());

/** Returns whether no later event can meet the conditions, because the log is ordered by time (contract 23.2). */
const isBeyond = (last: StoredEvent | undefined, { to }: LogFilter): boolean => {
  const time = last && to !== undefined ? recordedTimeOf(last) : null;
  return time !== null && time.getTime() > Date.parse(to ?? '') + MAX_SKEW;
};

/** The members of an event's metadata that the conditions use. */
type Metadata = Readonly<Record<'tenant' | 'actor' | 'time' | 'requestId' | '$correlationId', unknown>>;

/** Returns whether an event meets the conditions. Does not verify the event: `readIntact` verifies only events that match. */
const matches = ({ id, type, metadata }: StoredEvent, { tenant, requestId, anyId, ...filter }: LogFilter): boolean => {
  if (filter.type !== undefined && type !== filter.type) return false;
  const meta = parseMetadata(metadata);
  const time = String(meta?.time);
  return (
    meta !== null &&
    (tenant === null || meta.tenant === tenant) &&
    (filter.actor === undefined || meta.actor === filter.actor) &&
    (filter.from === undefined || time >= filter.from) &&
    (filter.to === undefined || time < filter.to) &&
    (requestId === undefined || meta.requestId === requestId || meta.$correlationId === requestId) &&
    (anyId === undefined || id === anyId || meta.requestId === anyId || meta.$correlationId === anyId)
  );
};

const parseMetadata = (text: string): Metadata | null => {
  try {
    return JSON.parse(text) as Metadata;
  } catch {
    return null;
  }
};

/** Returns the decoded event, or null if it was altered or cannot be read. */
const readIntact = (codec: Log['codec'], stored: StoredEvent): RecordedEvent | null => {
  try {
    codec.hashOf(stored);
    return codec.decode(stored);
  } catch (error) {
    if (error instanceof BrokenHistory) return null;
    throw error;
  }
};
