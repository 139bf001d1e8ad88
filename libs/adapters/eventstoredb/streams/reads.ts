import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';
import type { Connection } from '../connection/connection.js';
import { isWorthAnother, unavailable } from '../connection/failures.js';
import { readAllForwards, readAllLast, readForwards, readLast, type OwnStreams } from './read-requests.js';
import { storedEventOf } from '../connection/wire.js';

/** One call brings at most so many events. */
const PAGE = 1_000;
/** A read changes nothing, so it is asked again at once when another node leads or the connection was a dead one. */
const TRIES = 3;

/** Reads of what the log holds. */
export class Reads {
  constructor(
    private readonly connection: Connection,
    private readonly own: OwnStreams,
  ) {}

  async stream(stream: string, from: number, limit: number): Promise<readonly StoredEvent[]> {
    const page = (next: number, count: number): Promise<readonly StoredEvent[]> => this.events(readForwards(stream, next, count));
    return pages(from, limit, page, ({ revision }) => revision + 1);
  }

  async lastOf(stream: string): Promise<StoredEvent | null> {
    return (await this.events(readLast(stream))).at(-1) ?? null;
  }

  async all(after: number, limit: number): Promise<readonly StoredEvent[]> {
    const page = async (next: number, count: number): Promise<readonly StoredEvent[]> => {
      // The server reads from a position on, the event at it included: one more is asked for, and that one left out.
      const events = await this.events(readAllForwards(this.own, next, next === 0 ? count : count + 1));
      return events.filter(({ position }) => position > next);
    };
    return (await pages(after, limit, page, ({ position }) => position)).slice(0, limit);
  }

  /** The position of the last own event, 0 when there is none. */
  async lastPosition(): Promise<number> {
    return (await this.events(readAllLast(this.own))).at(-1)?.position ?? 0;
  }

  private async events(request: ReadReq): Promise<readonly StoredEvent[]> {
    // A stream that does not exist is answered by a message that carries no event.
    return (await this.messages(request)).map(storedEventOf).filter((event) => event !== null);
  }

  private async messages(request: ReadReq): Promise<readonly ReadResp[]> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.connection.read(request);
      } catch (error) {
        if (!isWorthAnother(error) || tries === TRIES) throw unavailable(error);
      }
    }
  }
}

/** Reads page after page, up to `limit` events or the end; `following` says where the page after an event begins. */
const pages = async (
  from: number,
  limit: number,
  page: (next: number, count: number) => Promise<readonly StoredEvent[]>,
  following: (last: StoredEvent) => number,
): Promise<readonly StoredEvent[]> => {
  const all: StoredEvent[] = [];
  for (let next = from; all.length < limit;) {
    const count = Math.min(limit - all.length, PAGE);
    const events = await page(next, count);
    for (const event of events) all.push(event);
    const last = events.at(-1);
    if (!last || events.length < count) break;
    next = following(last);
  }
  return all;
};
