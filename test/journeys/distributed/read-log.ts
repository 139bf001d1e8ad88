import type { EventStore, StoredEvent } from '../../../libs/eventsourcing/ports/event-store.port.js';

const PAGE = 1_000;

/** Reads every event of a log after a position, page by page. */
export const readLog = async (store: Pick<EventStore, 'readAll'>, after = 0): Promise<readonly StoredEvent[]> => {
  const events: StoredEvent[] = [];
  for (;;) {
    const page = await store.readAll(events.at(-1)?.position ?? after, PAGE);
    events.push(...page);
    if (page.length < PAGE) return events;
  }
};
