import { MongoClient, type Db, type Document } from 'mongodb';
import { openEventStore } from '../../../libs/adapters/eventstoredb/index.js';
import { databaseIn } from '../../../libs/adapters/mongodb/connection/connection.js';
import { openMongo } from '../../../libs/adapters/mongodb/index.js';
import { systemClock } from '../../../libs/adapters/system/index.js';
import { OPERATOR_STATE } from '../../../libs/runtime/operating/operator-state.js';
import { RELAY } from '../../../libs/runtime/relay/relay.js';
import { STREAM_PREFIXES } from '../../../libs/domain/events.js';
import { checkpointOf, type Collection, type Fields, type StoredDocument } from '../../../libs/eventsourcing/ports/documents.port.js';
import type { StoredEvent } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { projections } from '../../../libs/projections/projections.js';
import type { LedgerCharge } from '../../../libs/ports/payment-ledger.port.js';
import type { Snapshot } from '../../servers/snapshot.js';
import { readLog } from './read-log.js';
import { silentLog } from '../../silent-log.js';

/** Direct access to the data on the servers of a cluster, without an API. */
export type ClusterStorage = {
  /** Returns the whole log. Reads only the events since the last call. */
  events(): Promise<readonly StoredEvent[]>;
  /** The checkpoints of the projections and the relay, by name. */
  checkpoints(): Promise<Readonly<Record<string, number>>>;
  /** Reads the current read models. Returns them together with `events`. */
  snapshot(events: readonly StoredEvent[]): Promise<Snapshot>;
  /** Every charge in the gateway's ledger. */
  charges(): Promise<readonly LedgerCharge[]>;
  close(): Promise<void>;
};

/** The URLs of a cluster's servers, the namespace of the store, and the key encryption key, if there is one. */
type ServerUrls = {
  readonly eventStoreUrl: string;
  readonly mongoUrl: string;
  readonly namespace?: string;
  readonly keyEncryptionKey?: Uint8Array;
};

/** Connects to the servers, which must be running. */
export const openClusterStorage = async (servers: ServerUrls): Promise<ClusterStorage> => {
  const { eventStoreUrl, mongoUrl, namespace = '', keyEncryptionKey } = servers;
  const store = await openEventStore({ url: eventStoreUrl, namespace, clock: systemClock, log: silentLog, streams: STREAM_PREFIXES });
  const keyed = keyEncryptionKey && { keyEncryptionKey };
  const mongo = await openMongo({ url: mongoUrl, namespace, clock: systemClock, log: silentLog, appName: 'audit', ...keyed });
  const plain = new MongoClient(mongoUrl);
  const database = plain.db(databaseIn(mongoUrl, namespace));
  const events: StoredEvent[] = [];
  const names = [...projections.map(({ collection }) => checkpointOf(collection)), RELAY];
  return {
    async events() {
      events.push(...(await readLog(store, events.at(-1)?.position)));
      return events;
    },
    async checkpoints() {
      const positions: Record<string, number> = {};
      for (const name of names) positions[name] = await mongo.documents.checkpoint(name);
      return positions;
    },
    snapshot: (currentEvents) => snapshotIn(database, currentEvents),
    charges: () => chargesIn(database),
    async close() {
      await Promise.all([store.close(), mongo.close(), plain.close()]);
    },
  };
};

/** The charges of the shared ledger, each with its refund. */
const chargesIn = async (database: Db): Promise<readonly LedgerCharge[]> => {
  type StoredRecord<T> = { readonly _id: string; readonly record: T };
  const readRecords = async <T>(name: string) =>
    (await database.collection(name).find().sort({ _id: 1 }).toArray()) as unknown as StoredRecord<T>[];
  const refunds = new Map(
    (await readRecords<{ refundedAt: string }>('gateway_refunds')).map(({ _id, record }) => [_id, record.refundedAt]),
  );
  const charges = await readRecords<Omit<LedgerCharge, 'refundedAt'>>('gateway_charges');
  return charges.map(({ _id, record }) => ({ ...record, refundedAt: refunds.get(_id) ?? null }));
};

/** Reads the read models from the database. Depends on the layout that the MongoDB adapter defines. */
const snapshotIn = async (database: Db, events: readonly StoredEvent[]): Promise<Snapshot> => {
  const contents = new Map<string, readonly Document[]>();
  for (const collection of [...projections.map((projection) => projection.collection), OPERATOR_STATE]) {
    const name = checkpointOf(collection);
    const reader = await database.collection<Document & { _id: string }>('readers').findOne({ _id: name });
    const place = `${name}_${String(reader?.['generation'] ?? 1)}`;
    contents.set(name, await database.collection(place).find().toArray());
    contents.set(`${name} cells`, await database.collection(`${place}_cells`).find().toArray());
  }
  return {
    events,
    documents: (collection) => (contents.get(checkpointOf(collection)) ?? []).map((document) => documentOf(collection, document)),
    cells: (collection) =>
      (contents.get(`${checkpointOf(collection)} cells`) ?? []).map((document) => ({
        values: collection.cells.map((name) => fieldsOf(document)[name] ?? null),
        amount: Number(document['amount']),
      })),
  };
};

const fieldsOf = (document: Document): Fields => document['f'] as Fields;

const documentOf = ({ fields }: Collection, document: Document): StoredDocument => ({
  key: String(document['_id']),
  json: String(document['json']),
  revision: Number(document['revision']),
  fields: Object.fromEntries(Object.keys(fields).map((name) => [name, fieldsOf(document)[name] ?? null])),
});
