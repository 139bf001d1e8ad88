import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { EventCodec } from '../../eventsourcing/event-codec.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { ResultOf } from '../request.js';
import { OAuthClients } from '../oauth/clients.js';
import { CODEC, DOCUMENTS, EVENT_STORE, KEY_VAULT } from '../tokens.js';
import { withConsequences, type EventWithConsequences } from './consequences.js';
import { readCursor, writeCursor } from './log-cursor.js';
import { scanLog, type LogFilter } from './scan-log.js';
import { shownEvent, type ShownEvent, type Visibility } from './shown-events.js';

/** A page of the log. `next` is the cursor of the next page, null at the end of the log. */
export type LogPage<T> = { readonly data: readonly T[]; readonly next: string | null };

/** The requested page. `after` is its cursor: absent for the first page. `limit` is the maximum number of events. */
export type LogRange = { readonly after?: string; readonly limit: number };

/** The rejection of a request whose `after` is not a cursor of the tenant. */
export type CursorRejection = Rejection<'invalid_cursor'>;

/** A page of the events that meet the conditions of a filter, in the order of the log. */
export class ListLog extends Query<LogPage<ShownEvent> | CursorRejection> {
  constructor(
    readonly filter: LogFilter,
    readonly range: LogRange,
    readonly isPersonalShown: boolean,
  ) {
    super();
  }
}

/** A page of the events that a request caused, directly or indirectly, with their consequences. */
export class GetRequestConsequences extends Query<LogPage<EventWithConsequences> | CursorRejection> {
  constructor(
    readonly requestId: string,
    readonly tenant: string,
    readonly range: LogRange,
    readonly isPersonalShown: boolean,
  ) {
    super();
  }
}

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
): Promise<LogPage<T> | CursorRejection> => {
  const owner = filter.tenant ?? '*';
  const position = after === undefined ? 0 : await readCursor(keys, owner, after);
  if (position === null) return rejected('invalid_cursor');
  const { events, next } = await scanLog({ store, codec }, filter, position, limit);
  return { data: await show(events), next: next === null ? null : await writeCursor(keys, owner, next) };
};

@QueryHandler(ListLog)
export class ListLogHandler implements IQueryHandler<ListLog> {
  constructor(
    @Inject(EVENT_STORE) readonly store: EventStore,
    @Inject(CODEC) readonly codec: EventCodec,
    @Inject(KEY_VAULT) readonly keys: KeyVault,
    @Inject(DOCUMENTS) readonly documents: Documents,
  ) {}

  execute({ filter, range, isPersonalShown }: ListLog): Promise<ResultOf<ListLog>> {
    const visibility = visibilityOf(this, isPersonalShown);
    return readPage(this, filter, range, (events) => Promise.all(events.map((event) => shownEvent(event, visibility))));
  }
}

@QueryHandler(GetRequestConsequences)
export class GetRequestConsequencesHandler implements IQueryHandler<GetRequestConsequences> {
  constructor(
    @Inject(EVENT_STORE) readonly store: EventStore,
    @Inject(CODEC) readonly codec: EventCodec,
    @Inject(KEY_VAULT) readonly keys: KeyVault,
    @Inject(DOCUMENTS) readonly documents: Documents,
  ) {}

  execute({ requestId, tenant, range, isPersonalShown }: GetRequestConsequences): Promise<ResultOf<GetRequestConsequences>> {
    const visibility = visibilityOf(this, isPersonalShown);
    return readPage(this, { tenant, requestId }, range, (events) => withConsequences(this, events, visibility));
  }
}

/** The query handlers of the log, for the module. */
export const LOG_QUERY_HANDLERS = [ListLogHandler, GetRequestConsequencesHandler];
