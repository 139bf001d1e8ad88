import { dayOf } from '../../eventsourcing/day.js';
import type { CountState, LogPlace, TopicCount } from '../../domain/checkpoints/checkpoint.events.js';
import { SHARED_POOL } from '../../eventsourcing/message.js';
import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { proofMembers } from '../proof/log-digest.js';

/** Returns the name of an event's topic, without the namespace. Null if the event is not published. */
export type TopicLookup = (event: Pick<StoredEvent, 'stream' | 'type'>) => string | null;

/** The numbers of messages of one tenant and day, by topic. */
export type TallyRow = { readonly day: string; readonly tenant: string; readonly topics: readonly TopicCount[] };

/**
 * A set of counts: the result of one call of `tallyMessages`. The rows are sorted by day and tenant. The next set continues
 * from `state`.
 */
export type Tally = { readonly rows: readonly TallyRow[]; readonly state: CountState };

type TallyRange = {
  /** The state after the previous set. */
  readonly before: CountState;
  /** The first day (UTC) that is not counted. */
  readonly openDay: string;
  /** The last event to read. Default: the end of the log. */
  readonly end?: LogPlace;
  readonly signal?: AbortSignal | undefined;
};

const PAGE = 1_000;
const DAY = 86_400_000;

/**
 * Counts the messages of the days before `openDay`, except messages that an earlier set has counted. Each set has a row of the
 * shared pool for the day before `openDay`, even if that day has no messages. The exception is a first set: it has no rows if
 * it finds no messages. Returns null if `signal` aborts.
 *
 * The clocks of processes differ, so an event may be appended after its day was counted. The next set counts that event.
 */
export const tallyMessages = async (
  { store, topicOf }: { readonly store: Pick<EventStore, 'readAll'>; readonly topicOf: TopicLookup },
  { before, openDay, end, signal }: TallyRange,
): Promise<Tally | null> => {
  const rows = new Rows();
  let place = await placeIn(store, before.from);
  let from: LogPlace | null = null;
  // The previous set has read the events up to `before.last`, but has not counted those of the day `before.openDay` or later.
  let isEarlier = place.id !== before.last.id;
  for (;;) {
    const events = place.id === end?.id ? [] : await store.readAll(place.position, PAGE);
    for (const event of events) {
      const { tenant, time } = proofMembers(event);
      const day = time.slice(0, openDay.length);
      if (day >= openDay) from ??= place;
      else if (!isEarlier || day >= before.openDay) rows.add(day, tenant, topicOf(event));
      place = { position: event.position, id: event.id };
      if (place.id === before.last.id) isEarlier = false;
      if (place.id === end?.id) break;
    }
    if (signal?.aborted) return null;
    if (events.length < PAGE || place.id === end?.id) break;
  }
  return { rows: rows.sorted(openDay, before), state: { openDay, last: place, from: from ?? place } };
};

/** Returns `place` if the log has that event at that position. Otherwise, the log is a copy: returns the start of the log. */
const placeIn = async (store: Pick<EventStore, 'readAll'>, place: LogPlace): Promise<LogPlace> => {
  const [found] = place.position === 0 ? [] : await store.readAll(place.position - 1, 1);
  return found?.id === place.id ? place : { position: 0, id: '' };
};

/** The numbers of messages by day, tenant and topic. */
class Rows {
  private readonly topics = new Map<string, { readonly day: string; readonly tenant: string; readonly counts: Map<string, number> }>();

  /** Adds the message of an event. Ignores an event without a topic, and an event with an unreadable time (an empty day). */
  add(day: string, tenant: string, topic: string | null): void {
    if (topic === null || day === '') return;
    const { counts } = this.row(day, tenant);
    counts.set(topic, (counts.get(topic) ?? 0) + 1);
  }

  /** Returns the rows, including the row of the shared pool for the day before `openDay`. */
  sorted(openDay: string, before: CountState): readonly TallyRow[] {
    const isFirst = before.openDay === '';
    if (!isFirst || this.topics.size > 0) this.row(dayOf(Date.parse(openDay) - DAY), SHARED_POOL);
    return [...this.topics].sort(byName).map(([, { day, tenant, counts }]) => {
      const topics = [...counts].sort(byName).map(([topic, count]) => ({ topic, count }));
      return { day, tenant, topics };
    });
  }

  private row(day: string, tenant: string) {
    const name = `${day}/${tenant}`;
    const row = this.topics.get(name) ?? { day, tenant, counts: new Map<string, number>() };
    this.topics.set(name, row);
    return row;
  }
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number => (one < other ? -1 : 1);
