import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DELIVERIES, type DeliveryStatus } from '../../deliveries/delivery.js';
import { ORDER_STATUSES, type OrderStatus } from '../../domain/orders/order.events.js';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../domain/payments/payment.events.js';
import { EventCodec } from '../../eventsourcing/event-codec.js';
import { BrokenHistory } from '../../eventsourcing/history.js';
import { Documents } from '../../eventsourcing/ports/documents.port.js';
import { EventStore, type StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { ReadModels } from '../../eventsourcing/ports/read-models.port.js';
import { ordersProjection } from '../../projections/orders.projection.js';
import { paymentsProjection } from '../../projections/payments.projection.js';
import type { ShownEvent } from '../history/shown-events.js';
import type { ResultOf } from '../request.js';
import { Processes, type ProcessState } from './processes.js';

/** The statuses of deliveries that are not delivered. */
const UNDELIVERED = ['pending', 'waiting', 'parked'] as const satisfies readonly DeliveryStatus[];

/** What is counted by its status. */
const COUNTED = {
  orders: { collection: ordersProjection.collection, statuses: ORDER_STATUSES },
  payments: { collection: paymentsProjection.collection, statuses: PAYMENT_STATUSES },
  deliveries: { collection: DELIVERIES, statuses: UNDELIVERED },
} as const;

export type Counted = { orders: OrderStatus; payments: PaymentStatus; deliveries: (typeof UNDELIVERED)[number] };

/**
 * How many orders, payments or undelivered deliveries there are, by status, in all tenants. Reads the entries of an index: slow if
 * there are many. The sums of the cells would be the quantities of orders.
 */
export class CountByStatus<Kind extends keyof Counted> extends Query<Readonly<Record<Counted[Kind], number>>> {
  constructor(readonly kind: Kind) {
    super();
  }
}

@QueryHandler(CountByStatus)
export class CountByStatusHandler implements IQueryHandler<CountByStatus<keyof Counted>> {
  constructor(private readonly documents: Documents) {}

  async execute({ kind }: Pick<CountByStatus<keyof Counted>, 'kind'>): Promise<Readonly<Record<string, number>>> {
    const { collection, statuses } = COUNTED[kind];
    const count = (status: string): Promise<number> => this.documents.count(collection, { status });
    return Object.fromEntries(await Promise.all(statuses.map(async (status) => [status, await count(status)] as const)));
  }
}

/** The processes of the service. */
export class ListProcesses extends Query<readonly ProcessState[]> {}

@QueryHandler(ListProcesses)
export class ListProcessesHandler implements IQueryHandler<ListProcesses> {
  constructor(private readonly processes: Processes) {}

  execute(): Promise<ResultOf<ListProcesses>> {
    return this.processes.states();
  }
}

/** An event as the live stream shows it: without its data. */
export type AppendedEvent = Omit<ShownEvent, 'data' | 'actorName' | 'skippedBy'>;

/** What was appended to the log: `events`, and the position after which to read on. `more`: whether further events follow. */
export type Appended = { readonly events: readonly AppendedEvent[]; readonly position: number; readonly more: boolean };

/** The maximum number of events that one read of the end of the log shows. */
const MAX_APPENDED = 200;
/** The number of events with which a stream begins. */
const MAX_LAST = 100;
const BATCH = 1_000;

/**
 * The events after a position, or the end of the log if `after` is null. Whoever `mayMiss` events gets the last ones at the beginning, and
 * goes on at the end of the log if there are too many. What somebody misses tells how much other tenants write (contract 6.2).
 */
export class ReadAppended extends Query<Appended> {
  constructor(
    readonly after: number | null,
    readonly mayMiss: boolean,
  ) {
    super();
  }
}

@QueryHandler(ReadAppended)
export class ReadAppendedHandler implements IQueryHandler<ReadAppended> {
  constructor(
    private readonly store: EventStore,
    private readonly codec: EventCodec,
    private readonly readModels: ReadModels,
  ) {}

  async execute({ after, mayMiss }: ReadAppended): Promise<ResultOf<ReadAppended>> {
    if (after === null) return mayMiss ? this.last() : { events: [], position: await this.readModels.head(), more: false };
    const stored = await this.store.readAll(after, MAX_APPENDED + 1);
    const more = stored.length > MAX_APPENDED;
    const shown = stored.slice(0, MAX_APPENDED);
    const position = shown.at(-1)?.position ?? after;
    const events = shown.flatMap((event) => this.shown(event) ?? []);
    return { events, position: more && mayMiss ? Math.max(position, await this.readModels.head()) : position, more };
  }

  /** Looks back ever further: the positions of some logs have gaps, so they do not count events. */
  private async last(): Promise<Appended> {
    const head = await this.readModels.head();
    let stored: readonly StoredEvent[] = [];
    for (let back = MAX_LAST; stored.length < MAX_LAST; back *= 2) {
      stored = await this.store.readAll(Math.max(0, head - back), BATCH);
      if (back >= head) break;
    }
    for (let batch = stored; batch.length === BATCH; stored = [...stored, ...batch].slice(-MAX_LAST))
      batch = await this.store.readAll(stored.at(-1)?.position ?? head, BATCH);
    return {
      events: stored.slice(-MAX_LAST).flatMap((event) => this.shown(event) ?? []),
      position: stored.at(-1)?.position ?? head,
      more: false,
    };
  }

  /** Returns null for an event that was altered or cannot be read, as the lists for auditors do (contract 35.13). */
  private shown(stored: StoredEvent): AppendedEvent | null {
    try {
      this.codec.hashOf(stored);
      const { id, type, meta } = this.codec.decode(stored);
      const { stream, revision, time, actor, tenant, requestId, correlationId, causationId } = meta;
      return { id, stream, revision, type, time, actor, tenant, ...(requestId !== undefined && { requestId }), correlationId, causationId };
    } catch (error) {
      if (error instanceof BrokenHistory) return null;
      throw error;
    }
  }
}

/** The query handlers of what is watched, for the module. */
export const WATCHING_QUERY_HANDLERS = [CountByStatusHandler, ListProcessesHandler, ReadAppendedHandler];
