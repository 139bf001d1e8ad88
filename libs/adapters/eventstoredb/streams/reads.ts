import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';
import type { Connection } from '../connection/connection.js';
import { isRetryableRead, toPortError } from '../connection/failures.js';
import type { OwnStreams } from './own-streams.js';
import { createLastEventRequest, createLastOfLogRequest, createLogRequest, createStreamRequest } from './read-requests.js';
import { storedEventOf } from '../connection/wire.js';

/** Maximum number of events per page. */
const PAGE_SIZE = 1_000;
/** Maximum number of attempts of a read when the leader has changed or the connection was lost. */
const MAX_ATTEMPTS = 3;

/** Reads streams and the log. */
export class Reads {
  constructor(
    private readonly connection: Connection,
    private readonly own: OwnStreams,
  ) {}

  async stream(stream: string, from: number, limit: number): Promise<readonly StoredEvent[]> {
    const page = (next: number, count: number): Promise<readonly StoredEvent[]> =>
      this.events(createStreamRequest(this.own.prefix + stream, next, count));
    return pages(from, limit, page, ({ revision }) => revision + 1);
  }

  async lastOf(stream: string): Promise<StoredEvent | null> {
    return (await this.events(createLastEventRequest(this.own.prefix + stream))).at(-1) ?? null;
  }

  async all(after: number, limit: number): Promise<readonly StoredEvent[]> {
    const page = async (next: number, count: number): Promise<readonly StoredEvent[]> => {
      // The server also returns the event at the start position. So one more event is requested, and the event at the
      // start position is dropped.
      const events = await this.events(createLogRequest(this.own.filter, next, next === 0 ? count : count + 1));
      return events.filter(({ position }) => position > next);
    };
    // If no event of the store is at the start position, no event is dropped, and a page has one event too many.
    return (await pages(after, limit, page, ({ position }) => position)).slice(0, limit);
  }

  /** Returns the position of the store's last event, or 0. */
  async lastPosition(): Promise<number> {
    return (await this.events(createLastOfLogRequest(this.own.filter))).at(-1)?.position ?? 0;
  }

  private async events(request: ReadReq): Promise<readonly StoredEvent[]> {
    // For a missing stream the server returns a message without an event.
    return (await this.messages(request)).map((message) => storedEventOf(message, this.own.prefix)).filter((event) => event !== null);
  }

  private async messages(request: ReadReq): Promise<readonly ReadResp[]> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.connection.read(request);
      } catch (error) {
        if (!isRetryableRead(error) || tries === MAX_ATTEMPTS) throw toPortError(error);
      }
    }
  }
}

/** Reads pages until it has `limit` events or there are no more events. `nextStart` returns where the next page starts. */
const pages = async (
  from: number,
  limit: number,
  page: (next: number, count: number) => Promise<readonly StoredEvent[]>,
  nextStart: (last: StoredEvent) => number,
): Promise<readonly StoredEvent[]> => {
  const all: StoredEvent[] = [];
  for (let next = from; all.length < limit;) {
    const count = Math.min(limit - all.length, PAGE_SIZE);
    const events = await page(next, count);
    for (const event of events) all.push(event);
    const last = events.at(-1);
    if (!last || events.length < count) break;
    next = nextStart(last);
  }
  return all;
};
