import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { paymentStream } from '../../domain/ids.js';
import type { OrderEvent } from '../../domain/orders/order.events.js';
import { Aggregates } from '../../eventsourcing/aggregates.js';
import { EventCodec } from '../../eventsourcing/event-codec.js';
import { aggregateIdOf, categoryOf, type RecordedEvent } from '../../eventsourcing/message.js';
import { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { readHistoryPages } from '../../runtime/codec/verified-history.js';
import { readDocumentSteps, type DocumentStep } from '../../runtime/projecting/document-from-log.js';
import type { Page, ResultOf } from '../request.js';
import { Documents } from '../../eventsourcing/ports/documents.port.js';
import { OAuthClients } from '../oauth/clients.js';
import { AUDITED, auditedAggregate, isInTenant, type AuditedCategory } from './audited.js';
import { eventWithChanges } from './shown-events.js';
import { openJson, shownValue } from './shown-values.js';

/** An auditor: the tenant whose resources are read, and whether personal values are shown. */
export type Auditor = { readonly tenant: string; readonly isPersonalShown: boolean };

/**
 * A page of the events of a stream, oldest first. `page` starts at 1. The history of an order includes the events of its
 * payments. Null if auditors cannot read the stream: it does not exist in the tenant, or its category is not audited.
 */
export class GetStreamHistory extends Query<Page | null> {
  constructor(
    readonly stream: string,
    readonly page: number,
    readonly limit: number,
    readonly auditor: Auditor,
  ) {
    super();
  }
}

/** Where an event is: its stream, its revision in the stream, and its position in the log. */
type Place = { readonly stream: string; readonly revision: number; readonly position: number };

@QueryHandler(GetStreamHistory)
export class GetStreamHistoryHandler implements IQueryHandler<GetStreamHistory> {
  constructor(
    private readonly aggregates: Aggregates,
    readonly store: EventStore,
    readonly codec: EventCodec,
    private readonly keys: KeyVault,
    private readonly documents: Documents,
  ) {}

  async execute({ stream, page, limit, auditor }: GetStreamHistory): Promise<ResultOf<GetStreamHistory>> {
    const aggregate = auditedAggregate(categoryOf(stream));
    if (!aggregate || !(await isInTenant(this.aggregates, aggregate, aggregateIdOf(stream), auditor.tenant))) return null;
    const places = await this.placesOf(stream);
    const steps = await this.stepsAt(places.slice((page - 1) * limit, page * limit));
    const visibility = { ...auditor, keys: this.keys, programName: new OAuthClients(this.documents).programNames() };
    const items = await Promise.all(steps.map((step) => eventWithChanges(step, visibility)));
    return { items: items.map((item) => JSON.stringify(item)), totalItems: places.length };
  }

  /** Returns the places of all events of a history, in the order of the log. */
  private async placesOf(stream: string): Promise<readonly Place[]> {
    const places: Place[] = [];
    const payments: string[] = [];
    const addAll = async (name: string): Promise<void> => {
      for await (const events of readHistoryPages(this, name)) {
        for (const event of events) {
          places.push({ stream: name, revision: event.meta.revision, position: event.position });
          payments.push(...startedPayment(event));
        }
      }
    };
    await addAll(stream);
    for (const payment of payments) await addAll(payment);
    return places.sort((one, other) => one.position - other.position);
  }

  /** Returns the events at these places in the order of the log, each with the document before and after the event. */
  private async stepsAt(places: readonly Place[]): Promise<readonly DocumentStep[]> {
    const wanted = new Set(places.map(({ position }) => position));
    const steps: DocumentStep[] = [];
    for (const stream of new Set(places.map((place) => place.stream))) {
      const lastRevision = Math.max(...places.filter((place) => place.stream === stream).map(({ revision }) => revision));
      const { projection } = AUDITED[categoryOf(stream) as AuditedCategory];
      for await (const step of readDocumentSteps(this, projection, aggregateIdOf(stream), lastRevision))
        if (wanted.has(step.event.position)) steps.push(step);
    }
    return steps.sort((one, other) => one.event.position - other.event.position);
  }
}

/** Returns the stream of the payment that an event of an order starts, or `[]` if the event starts none. */
const startedPayment = (recorded: RecordedEvent): readonly string[] => {
  const event = eventOf<OrderEvent>(recorded);
  return event.type === 'OrderPaymentStarted' ? [paymentStream(event.data.paymentId)] : [];
};

/**
 * A moment in a history: directly after the last event at or before `asOf`, or directly after the event with `revision`. If
 * both are absent, the moment is the present. The API rejects a request with both.
 */
export type Moment = { readonly asOf?: string; readonly revision?: number };

/** The state of a resource after one of its events. */
export type PastState = { readonly stream: string; readonly revision: number; readonly time: string; readonly state: unknown };

/**
 * The state of a resource at a moment. Null if the moment is before the creation or after the deletion of the resource. Also
 * null if the revision does not exist, or if the resource belongs to another tenant.
 */
export class GetPastState extends Query<PastState | null> {
  constructor(
    readonly category: AuditedCategory,
    readonly id: string,
    readonly moment: Moment,
    readonly auditor: Auditor,
  ) {
    super();
  }
}

@QueryHandler(GetPastState)
export class GetPastStateHandler implements IQueryHandler<GetPastState> {
  constructor(
    private readonly aggregates: Aggregates,
    readonly store: EventStore,
    readonly codec: EventCodec,
    private readonly keys: KeyVault,
  ) {}

  async execute({ category, id, moment, auditor }: GetPastState): Promise<ResultOf<GetPastState>> {
    const aggregate = AUDITED[category];
    if (!(await isInTenant(this.aggregates, aggregate, id, auditor.tenant))) return null;
    const last = await this.lastStep(category, id, moment);
    if (!last?.after || last.event.meta.revision < (moment.revision ?? 0)) return null;
    const { stream, revision, time } = last.event.meta;
    return { stream, revision, time, state: shownValue(await openJson(this.keys, last.after.json), auditor.isPersonalShown) };
  }

  /** Returns the last event up to the moment, or null. Stops reading at the first later event (contract 35.12). */
  private async lastStep(category: AuditedCategory, id: string, { asOf, revision }: Moment): Promise<DocumentStep | null> {
    const end = asOf === undefined ? Infinity : Date.parse(asOf);
    let last: DocumentStep | null = null;
    for await (const step of readDocumentSteps(this, AUDITED[category].projection, id, revision)) {
      if (Date.parse(step.event.meta.time) > end) break;
      last = step;
    }
    return last;
  }
}

/** The query handlers of histories, for the module. */
export const HISTORY_QUERY_HANDLERS = [GetStreamHistoryHandler, GetPastStateHandler];
