import type { Clock } from '../eventsourcing/ports/clock.port.js';
import type { Condition, Documents, DocumentWrite, DocumentQuery, Scalar, StoredDocument } from '../eventsourcing/ports/documents.port.js';
import type { EventStore, StoredEvent } from '../eventsourcing/ports/event-store.port.js';
import type { EventCodec } from '../eventsourcing/event-codec.js';
import type { RecordedEvent } from '../eventsourcing/message.js';
import type { Work, WorkQueue } from '../eventsourcing/ports/work-queue.port.js';
import { webhooksProjection } from '../projections/webhooks.projection.js';
import { newDelivery, type Delivery } from './delivery.js';
import { createDocumentFolds } from './announce/event-context.js';
import { DeliveryStore } from './delivery-store.js';
import { trustingCodec } from '../runtime/following/following.fixtures.js';

export const WEBHOOK = '0190a6b2-0000-7000-8000-00000000000a';
export const HOOK = 'https://shop.example.com/hook';

/** A pending delivery to the endpoint. */
export const pendingDelivery = (id: string, more: Partial<Delivery> = {}): Delivery => ({
  ...newDelivery(new Date('2026-01-02T03:04:05.000Z'), {
    id,
    tenant: 'shared',
    target: { kind: 'webhook', webhookId: WEBHOOK },
    eventId: `event of ${id}`,
    eventType: 'pet.statusChanged',
    stream: 'pet-1',
    revision: 0,
    sequence: null,
    body: '{}',
  }),
  ...more,
});

const meets = (value: Scalar | undefined, condition: Condition): boolean => {
  if (typeof condition !== 'object' || condition === null) return (value ?? null) === condition;
  if ('in' in condition) return condition.in.includes(value ?? null);
  const { from = '', to = '\uffff' } = condition;
  return value !== null && value !== undefined && value >= from && value <= to;
};

const compare = (one: Scalar | undefined, other: Scalar | undefined): number =>
  typeof one === 'string' && typeof other === 'string' ? (one < other ? -1 : Number(one > other)) : Number(one) - Number(other);

/**
 * Documents in memory. Conditions are limited to those that deliveries use: equality, `in`, and ranges of texts.
 * Documents are sorted by the first field of `sort` only, in ascending order.
 */
const memoryDocuments = (): Pick<Documents, 'get' | 'find' | 'count' | 'apply'> => {
  const tables = new Map<string, Map<string, StoredDocument>>();
  const table = (name: string): Map<string, StoredDocument> => {
    const known = tables.get(name) ?? new Map<string, StoredDocument>();
    tables.set(name, known);
    return known;
  };
  const isExpected = (write: DocumentWrite): boolean => {
    if (write.kind !== 'put' || write.expected === undefined) return true;
    const revision = table(write.collection.name).get(write.document.key)?.revision ?? 'none';
    return revision === write.expected;
  };
  const found = (name: string, { where, sort, limit, offset }: DocumentQuery): readonly StoredDocument[] => {
    const [first = ''] = sort;
    const matching = [...table(name).values()].filter(({ fields }) =>
      Object.entries(where).every(([field, condition]) => meets(fields[field], condition)),
    );
    return matching.toSorted((one, other) => compare(one.fields[first], other.fields[first])).slice(offset, offset + limit);
  };
  return {
    get: async ({ name }, key) => table(name).get(key) ?? null,
    find: async ({ name }, find) => found(name, find),
    count: async ({ name }, where) => found(name, { where, sort: [], limit: Infinity, offset: 0 }).length,
    apply: async (writes) => {
      if (!writes.every(isExpected)) return false;
      for (const write of writes) {
        if (write.kind === 'put') table(write.collection.name).set(write.document.key, write.document);
        else if (write.kind === 'delete') table(write.collection.name).delete(write.key);
      }
      return true;
    },
  };
};

/** A queue that only records its calls. */
const recordingQueue = () => {
  const enqueued: string[] = [];
  /** The delays of the work that was enqueued, and of the work to retry. */
  const delays: [id: string, milliseconds: number][] = [];
  const retried: [id: string, milliseconds: number][] = [];
  const work = {
    enqueue: ({ id }: Work, milliseconds = 0) => Promise.resolve(enqueued.push(id) + delays.push([id, milliseconds]) > 0),
    complete: () => Promise.resolve(true),
    retryAfter: ({ id }: Work, milliseconds: number) => Promise.resolve(retried.push([id, milliseconds]) > 0),
  } as unknown as WorkQueue;
  return { enqueued, delays, retried, work };
};

/**
 * The dependencies of deliveries in memory: documents, a queue, a log, and the read model of one endpoint.
 */
export const openDeliveries = (clock: Clock) => {
  const documents = memoryDocuments() as Documents;
  const log: RecordedEvent[] = [];
  const queue = recordingQueue();
  const store = {
    readStream: async (stream: string, from = 0, limit = Infinity) =>
      log
        .filter(({ meta }) => meta.stream === stream)
        .slice(from, from + limit)
        .map((event) => ({ ...event, revision: event.meta.revision })) as unknown as readonly StoredEvent[],
  } as unknown as EventStore;
  const codec = { ...trustingCodec, decode: (event: StoredEvent) => event as unknown as RecordedEvent } as unknown as EventCodec;
  const putEndpoint = async (more: { readonly status?: string; readonly ordered?: boolean; readonly url?: string } = {}): Promise<void> => {
    const body = { id: WEBHOOK, url: HOOK, events: ['pet.statusChanged'], ordered: false, status: 'enabled', ...more };
    const fields = { tenant: 'shared', status: body.status, createdAt: '', secret: 1, rotatedAt: null, enabledAt: '' };
    const document = { key: WEBHOOK, json: JSON.stringify(body), fields, revision: 0 };
    await documents.apply([{ kind: 'put', collection: webhooksProjection.collection, document }]);
  };
  const folds = createDocumentFolds({ store, codec });
  return {
    documents,
    log,
    ...queue,
    store,
    codec,
    folds,
    clock,
    putEndpoint,
    deliveries: new DeliveryStore(documents),
  };
};
