import { MongoClient, type Document } from 'mongodb';
import { openEventStore } from '../../../libs/adapters/eventstoredb/index.js';
import { openMongo } from '../../../libs/adapters/mongodb/index.js';
import { systemClock } from '../../../libs/adapters/system/index.js';
import { RELAY } from '../../../libs/runtime/relay/relay.js';
import { STREAM_PREFIXES } from '../../../libs/domain/events.js';
import { checkpointOf, type Collection, type Fields, type StoredDocument } from '../../../libs/eventsourcing/ports/documents.port.js';
import type { StoredEvent } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { projections } from '../../../libs/projections/projections.js';
import type { LedgerCharge } from '../../../libs/adapters/gateway/ledger.js';
import type { Snapshot } from '../../servers/snapshot.js';

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };
const DATABASE = 'petstore';
const PAGE = 1_000;

/** What the servers of a cluster keep, read past its processes. */
export type Kept = {
  /** The whole log; what was read before is not read again. */
  events(): Promise<readonly StoredEvent[]>;
  /** How far all that follows the log has come, by its name. */
  followers(): Promise<Readonly<Record<string, number>>>;
  /** The read models as they stand, beside these events. */
  snapshot(events: readonly StoredEvent[]): Promise<Snapshot>;
  /** Every charge in the gateway's ledger. */
  charges(): Promise<readonly LedgerCharge[]>;
  close(): Promise<void>;
};

/** Where a cluster's settings say that its servers are. */
type ServerUrls = { readonly eventStoreUrl: string; readonly mongoUrl: string };

/** Connects to the servers; they must be there. */
export const openKept = async ({ eventStoreUrl, mongoUrl }: ServerUrls): Promise<Kept> => {
  const store = await openEventStore({ url: eventStoreUrl, clock: systemClock, log: SILENT, streams: STREAM_PREFIXES });
  const mongo = await openMongo({ url: mongoUrl, clock: systemClock, log: SILENT, appName: 'audit' });
  const plain = new MongoClient(mongoUrl);
  const events: StoredEvent[] = [];
  const names = [...projections.map(({ collection }) => checkpointOf(collection)), RELAY];
  return {
    async events() {
      for (;;) {
        const page = await store.readAll(events.at(-1)?.position ?? 0, PAGE);
        events.push(...page);
        if (page.length < PAGE) return events;
      }
    },
    async followers() {
      const positions: Record<string, number> = {};
      for (const name of names) positions[name] = await mongo.documents.checkpoint(name);
      return positions;
    },
    snapshot: (beside) => snapshotIn(plain, beside),
    charges: () => chargesIn(plain),
    async close() {
      await Promise.all([store.close(), mongo.close(), plain.close()]);
    },
  };
};

/** The charges as the shared ledger keeps them, each beside its refund. */
const chargesIn = async (client: MongoClient): Promise<readonly LedgerCharge[]> => {
  type Kept<T> = { readonly _id: string; readonly record: T };
  const kept = async <T>(name: string) =>
    (await client.db(DATABASE).collection(name).find().sort({ _id: 1 }).toArray()) as unknown as Kept<T>[];
  const refunds = new Map((await kept<{ refundedAt: string }>('gateway_refunds')).map(({ _id, record }) => [_id, record.refundedAt]));
  const charges = await kept<Omit<LedgerCharge, 'refundedAt'>>('gateway_charges');
  return charges.map(({ _id, record }) => ({ ...record, refundedAt: refunds.get(_id) ?? null }));
};

/** The only place outside the adapter that knows how the database is laid out: tests look past the product. */
const snapshotIn = async (client: MongoClient, events: readonly StoredEvent[]): Promise<Snapshot> => {
  const database = client.db(DATABASE);
  const contents = new Map<string, readonly Document[]>();
  for (const { collection } of projections) {
    const name = checkpointOf(collection);
    const reader = await database.collection<Document & { _id: string }>('readers').findOne({ _id: name });
    const place = `${name}_${String(reader?.['generation'])}`;
    contents.set(name, await database.collection(place).find().toArray());
    contents.set(`${name} cells`, await database.collection(`${place}_cells`).find().toArray());
  }
  return {
    events,
    documents: (collection) => (contents.get(checkpointOf(collection)) ?? []).map((kept) => documentOf(collection, kept)),
    cells: (collection) =>
      (contents.get(`${checkpointOf(collection)} cells`) ?? []).map((kept) => ({
        values: collection.cells.map((name) => fieldsOf(kept)[name] ?? null),
        amount: Number(kept['amount']),
      })),
  };
};

const fieldsOf = (kept: Document): Fields => kept['f'] as Fields;

const documentOf = ({ fields }: Collection, kept: Document): StoredDocument => ({
  key: String(kept['_id']),
  json: String(kept['json']),
  revision: Number(kept['revision']),
  fields: Object.fromEntries(Object.keys(fields).map((name) => [name, fieldsOf(kept)[name] ?? null])),
});
