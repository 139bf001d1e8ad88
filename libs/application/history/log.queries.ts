import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { rejected, type Rejection } from '../../eventsourcing/decider.js';
import { EventCodec } from '../../eventsourcing/event-codec.js';
import { BrokenHistory } from '../../eventsourcing/history.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import { Clock } from '../../eventsourcing/ports/clock.port.js';
import { Documents } from '../../eventsourcing/ports/documents.port.js';
import { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { ResultOf } from '../request.js';
import { OAuthClients } from '../oauth/clients.js';
import { withConsequences, type EventWithConsequences } from './consequences.js';
import { readCursor, writeCursor } from './log-cursor.js';
import { scanLog, searchStart, type EventCheck, type LogFilter } from './scan-log.js';
import { shownEvent, type EventWithChanges, type ShownEvent, type Visibility } from './shown-events.js';
import { StreamChanges } from './stream-changes.js';

/** A page of the log. `next` is the cursor of the next page, null at the end of the log. */
export type LogPage<T> = { readonly data: readonly T[]; readonly next: string | null };

/** The requested page. `after` is its cursor: absent for the first page. `limit` is the maximum number of events. */
export type LogRange = { readonly after?: string; readonly limit: number };

/** The rejection of a request whose `after` is not a cursor of the tenant. */
export type CursorRejection = Rejection<'invalid_cursor'>;

/**
 * A page of the events that meet the conditions of a filter, in the order of the log. With `changed`, only events that changed
 * this field of their resource, or a field in it, each with its changes.
 */
export class ListLog extends Query<LogPage<ShownEvent | EventWithChanges> | CursorRejection> {
  constructor(
    readonly filter: LogFilter,
    readonly range: LogRange,
    readonly isPersonalShown: boolean,
    readonly changed?: string,
  ) {
    super();
  }
}

/**
 * A page of the events that a request caused, directly or indirectly, with their consequences. With `from` only those at this time or
 * later: ISO 8601 in UTC.
 */
export class GetRequestConsequences extends Query<LogPage<EventWithConsequences> | CursorRejection> {
  constructor(
    readonly requestId: string,
    readonly tenant: string,
    readonly range: LogRange,
    readonly isPersonalShown: boolean,
    readonly from?: string,
  ) {
    super();
  }
}

/**
 * The milliseconds that one request may search for a changed field. Finding the changes of an event reads its stream, so 10,000
 * events may take long.
 */
const TIME_TO_SEARCH = 1_000;

type LogPorts = { readonly store: EventStore; readonly codec: EventCodec; readonly keys: KeyVault; readonly documents: Documents };

const visibilityOf = ({ keys, documents }: LogPorts, isPersonalShown: boolean): Visibility => ({
  keys,
  isPersonalShown,
  programName: new OAuthClients(documents).programNames(),
});

/** Reads a page of the log, and converts its events with `show`. The owner of a cursor is a tenant, or `*` for all tenants. */
const readPage = async <T>(
  { store, codec, keys }: LogPorts,
  filter: LogFilter,
  { after, limit }: LogRange,
  show: (events: readonly RecordedEvent[]) => Promise<readonly T[]>,
  check?: EventCheck,
): Promise<LogPage<T> | CursorRejection> => {
  const owner = filter.tenant ?? '*';
  const start = async (): Promise<number> => (filter.from === undefined ? 0 : searchStart(store, codec, filter.from));
  const position = after === undefined ? await start() : await readCursor(keys, owner, after);
  if (position === null) return rejected('invalid_cursor');
  const { events, next } = await scanLog({ store, codec }, filter, position, limit, check);
  return { data: await show(events), next: next === null ? null : await writeCursor(keys, owner, next) };
};

/** Returns null if a history was altered or cannot be read: its events are left out (contract 35.13). */
const unlessBroken = <T>(reading: Promise<T>): Promise<T | null> =>
  reading.catch((error: unknown) => {
    if (error instanceof BrokenHistory) return null;
    throw error;
  });

@QueryHandler(ListLog)
export class ListLogHandler implements IQueryHandler<ListLog> {
  constructor(
    readonly store: EventStore,
    readonly codec: EventCodec,
    readonly keys: KeyVault,
    readonly documents: Documents,
    private readonly clock: Clock,
  ) {}

  execute({ filter, range, isPersonalShown, changed }: ListLog): Promise<ResultOf<ListLog>> {
    const visibility = visibilityOf(this, isPersonalShown);
    if (changed === undefined)
      return readPage(this, filter, range, (events) => Promise.all(events.map((event) => shownEvent(event, visibility))));
    const found = new Map<string, EventWithChanges>();
    const changes = new StreamChanges(this, visibility);
    const accepts = async (event: RecordedEvent): Promise<boolean> => {
      const change = await unlessBroken(changes.read(event));
      if (!change?.changes.some(({ field }) => field === changed || field.startsWith(`${changed}.`))) return false;
      found.set(event.id, change);
      return true;
    };
    const end = this.clock.elapsed() + TIME_TO_SEARCH;
    const check = { accepts, hasTime: () => this.clock.elapsed() < end };
    return readPage(this, filter, range, async (events) => events.flatMap(({ id }) => found.get(id) ?? []), check);
  }
}

@QueryHandler(GetRequestConsequences)
export class GetRequestConsequencesHandler implements IQueryHandler<GetRequestConsequences> {
  constructor(
    readonly store: EventStore,
    readonly codec: EventCodec,
    readonly keys: KeyVault,
    readonly documents: Documents,
  ) {}

  execute({ requestId, tenant, range, isPersonalShown, from }: GetRequestConsequences): Promise<ResultOf<GetRequestConsequences>> {
    const visibility = visibilityOf(this, isPersonalShown);
    return readPage(this, { tenant, requestId, ...(from !== undefined && { from }) }, range, (events) =>
      withConsequences(this, events, visibility),
    );
  }
}

/** The query handlers of the log, for the module. */
export const LOG_QUERY_HANDLERS = [ListLogHandler, GetRequestConsequencesHandler];
