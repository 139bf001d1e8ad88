import { createHash } from 'node:crypto';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DELIVERIES, deliveryFromDocument, type Delivery } from '../../deliveries/delivery.js';
import { StreamFaultLookup, type HistoryFault } from '../../eventsourcing/history.js';
import { checkpointOf, Documents } from '../../eventsourcing/ports/documents.port.js';
import { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import { Parked } from '../../eventsourcing/ports/parked.port.js';
import { projections } from '../../projections/projections.js';
import { recordedTimeOf } from '../../runtime/codec/monotonic-clock.js';
import { OperatorDecisions, type SkippedEvent } from '../../runtime/operating/operator-state.js';
import type { ResultOf } from '../request.js';

/** The name of the parked deliveries in lists and requests, in which other names are those of readers and consumers. */
export const DELIVERIES_NAME = 'deliveries';

/** What waits: the later events of a stream, the later messages of a key, or a delivery of which no attempt follows. */
export type ParkedKind = 'stream' | 'key' | 'delivery';

/** Something that could not be handled, and waits. */
export type ParkedItem = {
  readonly kind: ParkedKind;
  /** A read model, the relay, a consumer, or `deliveries`. */
  readonly name: string;
  /** The stream and the revision of the event that failed. */
  readonly stream: string;
  readonly revision: number;
  /** Groups items that failed alike: `altered`, `unreadable`, `error-` and a digest, or why a delivery is parked. */
  readonly cause: string;
  readonly error: string;
  readonly parkedAt?: string;
  /** The delivery, if the item is one. */
  readonly delivery?: Pick<Delivery, 'id' | 'tenant' | 'target' | 'eventType'>;
};

/** An item as operators see it, with the type and the time of the event, if the log has it. */
export type ShownItem = Omit<ParkedItem, 'kind' | 'name' | 'cause' | 'delivery'> & {
  readonly eventType?: string;
  readonly eventTime?: string;
  readonly deliveryId?: string;
  readonly webhookId?: string;
  readonly orderId?: string;
};

/** The items of one name that failed alike, the longest parked first. */
export type ParkedCause = Pick<ParkedItem, 'kind' | 'name' | 'cause'> & {
  readonly count: number;
  readonly items: readonly ShownItem[];
};

/** What is parked. `isComplete` is false if there are more than MAX_LISTED deliveries, which are then not all counted. */
export type ParkedList = { readonly count: number; readonly isComplete: boolean; readonly causes: readonly ParkedCause[] };

/** The maximum number of parked deliveries that a request reads, the oldest first. */
export const MAX_LISTED = 1_000;

/** Which items a request concerns. */
export type ParkedFilter = { readonly name?: string; readonly stream?: string; readonly cause?: string };

export type ParkedSources = {
  readonly parked: Parked;
  readonly documents: Pick<Documents, 'find'>;
  readonly faults: Pick<StreamFaultLookup, 'of'>;
};

/** The names of read models by the names of their checkpoints. */
const NAMES: ReadonlyMap<string, string> = new Map(projections.map(({ name, collection }) => [checkpointOf(collection), name]));

/** Returns what is parked and meets a filter: streams, keys, and the oldest deliveries, each in the order in which it was parked. */
export const readParked = async (
  { parked, documents, faults }: ParkedSources,
  { name, stream, cause }: ParkedFilter = {},
): Promise<{ readonly items: readonly ParkedItem[]; readonly isComplete: boolean }> => {
  const [streams, keys, deliveries] = await Promise.all([
    parked.streams(),
    parked.keys(),
    documents.find(DELIVERIES, { where: { status: 'parked' }, sort: ['createdAt'], limit: MAX_LISTED, offset: 0 }),
  ]);
  const items: ParkedItem[] = [
    ...streams
      .filter(({ projection }) => !isOfFill(projection))
      .toSorted((a, b) => a.position - b.position)
      .map(({ projection, stream: own, revision, reason }) => ({
        kind: 'stream' as const,
        // The version of a former release that still runs has its own name.
        name: NAMES.get(projection) ?? projection,
        stream: own,
        revision,
        cause: causeOf(reason, faults.of(own)),
        error: reason,
      })),
    ...keys.map(({ consumer, key, revision, reason, parkedAt }) => ({
      kind: 'key' as const,
      name: consumer,
      stream: key,
      revision,
      cause: causeOf(reason, faults.of(key)),
      error: reason,
      parkedAt,
    })),
    ...deliveries.map((document) => deliveryItem(deliveryFromDocument(document).delivery)),
  ];
  const meets = (item: ParkedItem): boolean =>
    (name === undefined || item.name === name) &&
    (stream === undefined || item.stream === stream) &&
    (cause === undefined || item.cause === cause);
  return { items: items.filter(meets), isComplete: deliveries.length < MAX_LISTED };
};

/** Returns whether a version is a fill, or what a fill has replaced: operators see it with its read model. */
const isOfFill = (projection: string): boolean => /_(fill|kept)_v\d+$/.test(projection);

const deliveryItem = (delivery: Delivery): ParkedItem => {
  const { id, tenant, target, eventType, stream, revision, parkedBecause = 'exhausted', attempts } = delivery;
  const last = attempts.at(-1);
  const answer = last?.status === undefined ? last?.fault : `the receiver answered ${last.status}`;
  return {
    kind: 'delivery',
    name: DELIVERIES_NAME,
    stream,
    revision,
    cause: parkedBecause,
    error: answer ?? parkedBecause,
    ...(last && { parkedAt: last.at }),
    delivery: { id, tenant, target, eventType },
  };
};

/** Matches what differs between errors of one cause: ids, digests and numbers. */
const VARYING = /[0-9a-f]{8}-[0-9a-f-]{27}|[\w-]{43}|\d+/gi;

/** Returns the cause of an error: a digest of its text without ids and numbers, so that it says nothing of its data. */
const causeOf = (reason: string, fault: HistoryFault | undefined): string =>
  fault?.kind ?? `error-${createHash('sha256').update(reason.replace(VARYING, '#')).digest('hex').slice(0, 8)}`;

/** What is parked, by name and cause. `limit` is the maximum number of shown items for each cause. */
export class ListParked extends Query<ParkedList> {
  constructor(
    readonly filter: ParkedFilter,
    readonly limit: number,
  ) {
    super();
  }
}

@QueryHandler(ListParked)
export class ListParkedHandler implements IQueryHandler<ListParked> {
  constructor(
    readonly parked: Parked,
    readonly documents: Documents,
    readonly faults: StreamFaultLookup,
    private readonly store: EventStore,
  ) {}

  async execute({ filter, limit }: ListParked): Promise<ResultOf<ListParked>> {
    const { items, isComplete } = await readParked(this, filter);
    const groups = Map.groupBy(items, ({ name, cause }) => `${name} ${cause}`);
    const causes: ParkedCause[] = [];
    for (const group of groups.values()) {
      const [{ kind, name, cause }] = group as [ParkedItem];
      causes.push({
        kind,
        name,
        cause,
        count: group.length,
        items: await Promise.all(group.slice(0, limit).map((item) => this.show(item))),
      });
    }
    return { count: items.length, isComplete, causes };
  }

  private async show({ stream, revision, error, parkedAt, delivery }: ParkedItem): Promise<ShownItem> {
    const [event] = await this.store.readStream(stream, revision, 1);
    const time = event && recordedTimeOf(event);
    return {
      stream,
      revision,
      error,
      ...(event && { eventType: event.type }),
      ...(time && { eventTime: time.toISOString() }),
      ...(parkedAt !== undefined && { parkedAt }),
      ...(delivery && { deliveryId: delivery.id }),
      ...(delivery?.target.kind === 'webhook' && { webhookId: delivery.target.webhookId }),
      ...(delivery?.target.kind === 'callback' && { orderId: delivery.target.orderId }),
    };
  }
}

/** The skipped events, in the order in which they were skipped. */
export class ListSkipped extends Query<readonly Omit<SkippedEvent, 'id'>[]> {}

@QueryHandler(ListSkipped)
export class ListSkippedHandler implements IQueryHandler<ListSkipped> {
  constructor(private readonly decisions: OperatorDecisions) {}

  async execute(): Promise<ResultOf<ListSkipped>> {
    await this.decisions.refresh();
    const { skipped = [] } = this.decisions.current();
    return skipped.map(({ id: _, ...event }) => event);
  }
}
