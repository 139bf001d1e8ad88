import { hostname } from 'node:os';
import { openEventStore, type EventStoreDb } from '../../../../libs/adapters/eventstoredb/index.js';
import { copyLedger, sharedLedger, simulatedGateway } from '../../../../libs/adapters/gateway/index.js';
import {
  openMessages,
  openPublisher,
  prepareTopics,
  readTopics,
  type KafkaConnection,
  type KafkaMessages,
} from '../../../../libs/adapters/kafka/index.js';
import { openMongo, WrongWrappingKey, type Mongo } from '../../../../libs/adapters/mongodb/index.js';
import { createIds, systemClock } from '../../../../libs/adapters/system/index.js';
import { copyLog } from '../../../../libs/runtime/codec/copy-log.js';
import { createCodec } from '../../../../libs/runtime/codec/codec.js';
import { copyDeliveries } from '../../../../libs/deliveries/copy-deliveries.js';
import { guardDocuments } from '../../../../libs/runtime/projecting/guarded-documents.js';
import { createIdentities } from '../../../../libs/application/identities.js';
import { outagesTo } from '../../../../libs/runtime/following/outages.js';
import { RELAY } from '../../../../libs/runtime/relay/relay.js';
import { repeat } from '../../../../libs/runtime/following/repeating.js';
import { republish } from '../../../../libs/runtime/relay/republish.js';
import type { Servers, Settings } from '../../../../libs/settings/settings.js';
import { carryStoreId, type StoreRecord } from '../../../../libs/runtime/codec/store-identity.js';
import { notingFaults, type StreamFaults } from '../../../../libs/runtime/projecting/stream-faults.js';
import { recheckUnshown, type VerifiedLog } from '../../../../libs/runtime/codec/verified-history.js';
import { contracts, TOPIC_PARTITIONS, topicsOf } from '../../../../libs/contracts/contracts.js';
import { DOMAIN_EVENTS, STREAM_PREFIXES } from '../../../../libs/domain/events.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import type { Documents } from '../../../../libs/eventsourcing/ports/documents.port.js';
import { StoreUnavailable, type EventStore } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import type { EventCodec } from '../../../../libs/eventsourcing/handle.js';
import type { Ids } from '../../../../libs/eventsourcing/ports/ids.port.js';
import type { HistoryFault } from '../../../../libs/eventsourcing/history.js';
import type { CarriedKey } from '../../../../libs/eventsourcing/ports/key-vault.port.js';
import type { MessagePointer } from '../../../../libs/eventsourcing/ports/messages.port.js';
import type { Publisher, TopicsNow } from '../../../../libs/eventsourcing/ports/publisher.port.js';
import { projections } from '../../../../libs/projections/projections.js';
import { CommandError } from '../../refusals/command-error.js';
import type { OpenKeys } from '../embedded/folder.js';
import { inspectServers } from './inspected-servers.js';
import { createFaults, shownRevision } from '../../refusals/found-faults.js';
import { createLog, type Log } from '../../logging/log.js';
import { requireStore, waitForOneStore } from './one-store.js';
import { egressOn, type EgressSettings } from '../outgoing.js';
import type { StorePorts } from '../store.module.js';

/** The distributed profile's ports, open. */
export type DistributedStore = StorePorts & {
  readonly store: EventStoreDb;
  readonly ids: Ids;
  readonly mongo: Mongo;
  /** The streams that were altered, or that a newer version wrote. */
  readonly faults: StreamFaults;
  /** Names this process among all that work for the store. */
  readonly holder: string;
  /** Messages by way of Kafka, which need not be there yet. */
  openMessages(): KafkaMessages;
  /** Begins a publisher that fences every older one. */
  openPublisher(): Promise<Publisher>;
  /** Where the topics end now. */
  topicsNow(): Promise<TopicsNow>;
  close(): Promise<void>;
};

/** The part of the settings that says where everything is. */
type DistributedSettings = Pick<Settings, 'keyEncryptionKey'> & EgressSettings & { readonly servers: Servers };

/** The servers that the settings name; refuses when they name none. */
export const distributedSettings = (settings: Settings): DistributedSettings & Settings => {
  if (!settings.servers)
    throw new CommandError(
      'EVENTSTOREDB_URL, MONGODB_URL and KAFKA_BROKERS are missing: this command is for several machines; one machine needs "start"',
    );
  return { ...settings, servers: settings.servers };
};

/** The store's own streams in the event store, which may hold others' beside them. */
const openEvents = ({ servers }: DistributedSettings, log: Log): Promise<EventStoreDb> =>
  openEventStore({ url: servers.eventStoreUrl, clock: systemClock, log, streams: STREAM_PREFIXES }).catch((error: unknown) => {
    throw error instanceof StoreUnavailable ? unreached('EVENTSTOREDB_URL', error) : error;
  });

/** A server that does not answer at the start, by the setting that says where it is. */
const unreached = (setting: 'EVENTSTOREDB_URL' | 'MONGODB_URL', error: Error): CommandError =>
  new CommandError(`${setting}: ${error.message}. Is the server running, and is that its address?`, { cause: error });

const openDatabase = async ({ servers, keyEncryptionKey }: DistributedSettings, log: Log): Promise<Mongo> => {
  try {
    return await openMongo({ url: servers.mongoUrl, clock: systemClock, log, ...(keyEncryptionKey && { keyEncryptionKey }) });
  } catch (error) {
    if (error instanceof WrongWrappingKey) throw new CommandError(error.message, { cause: error });
    // The driver refuses an address, and the server a user, by errors of their own.
    const isOfMongo = error instanceof Error && (error instanceof StoreUnavailable || error.name.startsWith('Mongo'));
    throw isOfMongo ? unreached('MONGODB_URL', error) : error;
  }
};

/** Connects to the event store and the database; Kafka is reached by those who need it. */
export const openDistributedStore = async (settings: DistributedSettings, log: Log): Promise<DistributedStore> => {
  const { servers } = settings;
  const clock = systemClock;
  const ids = createIds(clock);
  const holder = `${hostname()}/${process.pid}/${ids.next()}`;
  const mongo = await openDatabase(settings, log);
  try {
    const { keys, work } = mongo;
    const store = await openEvents(settings, log);
    await waitForOneStore({ log: store, records: storeRecords(mongo), keys, newId: () => ids.next() }, clock, log);
    const faults = createFaults(() => mongo, projections, log);
    const checked = createCodec(DOMAIN_EVENTS, { keys, ids, clock });
    const codec = notingFaults(checked, faults);
    const stopFollowing = await followFaults({ store, codec: checked }, faults, clock, log);
    const documents = guardDocuments(
      mongo.documents,
      { of: (stream) => faults.of(stream), look: (stream) => faults.look(stream) },
      projections,
    );
    const connection = connectionTo(servers);
    const topics = topicsOf(contracts);
    const shape = { partitions: TOPIC_PARTITIONS, replicationFactor: servers.kafkaReplication };
    // Created at the first use of the brokers: while one is down, what needs no broker starts all the same.
    const prepare = untilDone(() => prepareTopics(connection, topics, shape, log));
    return {
      store,
      documents,
      keys,
      codec,
      clock,
      ids,
      mongo,
      holder,
      writers: 'many processes',
      identities: await createIdentities(keys, ids),
      egress: egressOn(clock, settings),
      work,
      gateway: simulatedGateway(ledgerIn(mongo), { clock, fingerprintKey: await keys.serviceKey('card-fingerprint') }),
      openMessages: () =>
        openMessages({
          connection,
          topics,
          prepare,
          groupPrefix: 'petstore.',
          documents: mongo.building,
          waiting: waitingIn(store, codec),
          clock,
          log,
        }),
      topicsNow: () => readTopics(connection, topics),
      openPublisher: () => prepare().then(() => openPublisher(connection, `petstore.${RELAY}`)),
      faults,
      knowledge: { faults, shownRevision: (stream) => shownRevision(mongo.documents, projections, stream) },
      async close() {
        await stopFollowing();
        await store.close();
        await mongo.close();
      },
    };
  } catch (error) {
    await mongo.close();
    throw error;
  }
};

const SHOWN: ReadonlySet<string> = new Set(projections.map(({ category }) => category));

/** Where the database keeps the store's id. */
const storeRecords = (mongo: Mongo) => mongo.records<StoreRecord>('store');

/** What other processes find is known here after so many milliseconds; one small command each time. */
const FAULTS_EVERY = 5_000;

const followFaults = async (events: VerifiedLog, faults: StreamFaults, clock: Clock, log: Log): Promise<() => Promise<void>> => {
  await faults.open();
  const outages = outagesTo((error) =>
    log.warn({ err: error }, 'the broken streams that others found cannot be read; it will be tried again'),
  );
  const work = async (): Promise<number> => {
    await faults.refresh();
    await recheckUnshown(events, faults, SHOWN);
    outages.over();
    return FAULTS_EVERY;
  };
  return repeat({ clock, first: FAULTS_EVERY, work, afterFailure: FAULTS_EVERY, onError: (error) => outages.failed(error) });
};

const connectionTo = ({ kafkaBrokers: brokers, kafkaTls: ssl, kafkaLogin: login }: Servers): KafkaConnection => ({
  brokers,
  clientId: `petstore/${process.pid}`,
  ssl,
  ...(login && { login }),
});

/** Does something once it can be done: after a failure it is done again when it is asked for again, after that never more. */
const untilDone = (work: () => Promise<void>): (() => Promise<void>) => {
  let done: Promise<void> | null = null;
  return () => {
    const doing = (done ??= work());
    doing.catch(() => (done = done === doing ? null : done));
    return doing;
  };
};

const ledgerIn = (mongo: Mongo) =>
  sharedLedger({
    instruments: mongo.records('gateway_instruments'),
    charges: mongo.records('gateway_charges'),
    refunds: mongo.records('gateway_refunds'),
    sweeps: mongo.records('gateway_sweeps'),
  });

/** Carries an embedded store over to the servers: its id first, which no other store may have taken; keys next, since what they protect is worth nothing without them. */
export const copyToServers = async (settings: DistributedSettings, from: CopySource, log: Log): Promise<void> => {
  const mongo = await openDatabase(settings, log);
  try {
    const store = await openEvents(settings, log);
    try {
      await carryStoreId({ log: store, records: storeRecords(mongo) }, from.storeId);
      for (const key of from.keys) await mongo.keys.take(key);
      await copyLedger(from.directory, ledgerIn(mongo));
      await copyDeliveries(from.documents, { documents: mongo.documents, work: mongo.work, clock: systemClock });
      await copyLog(from.events, store, from.onProgress);
    } finally {
      await store.close();
    }
  } finally {
    await mongo.close();
  }
};

/** What is carried over. */
type CopySource = {
  readonly storeId: string;
  readonly directory: string;
  readonly events: EventStore;
  readonly documents: Documents;
  readonly keys: readonly CarriedKey[];
  /** Called with the position up to which everything is there. */
  readonly onProgress: (position: number) => void;
};

/** What a rebuild on several machines came to: what is wrong with the history, and whether the workers make the read models anew. */
export type ClearedReadModels = { readonly faults: readonly HistoryFault[]; readonly isBegun: boolean };

/**
 * Forgets all read models, for the workers to make them anew, when the whole history is as it was written, or when that is told
 * to be no matter. What is broken is recorded either way.
 */
export const clearReadModels = async (settings: DistributedSettings, log: Log, acceptAltered: boolean): Promise<ClearedReadModels> => {
  await (await openStoredDatabase(settings, log)).close();
  const opened = await openDistributedStore(settings, log);
  try {
    const { store, mongo, codec, faults } = opened;
    for (const { collection } of projections) await mongo.building.prepare(collection);
    const head = await store.lastPosition();
    const found = await inspectServers({ store, documents: mongo.documents, codec, head });
    for (const fault of found) faults.note(fault);
    await faults.settled();
    const isBegun = found.length === 0 || acceptAltered;
    if (isBegun) await mongo.building.clear(...projections.map(({ collection }) => collection));
    return { faults: found, isBegun };
  } finally {
    await opened.close();
  }
};

/** Opens the database. Rejects when the servers hold no store: opening the whole store would create one. */
const openStoredDatabase = async (settings: DistributedSettings, log: Log): Promise<Mongo> => {
  const mongo = await openDatabase(settings, log);
  try {
    await requireStore(storeRecords(mongo));
    return mongo;
  } catch (error) {
    await mongo.close();
    throw error;
  }
};

/** Makes the relay start again from the first event. Rejects with CommandError while a worker relays. */
export const republishTopics = async (settings: DistributedSettings, log: Log): Promise<void> => {
  const mongo = await openStoredDatabase(settings, log);
  try {
    const holder = `republish/${process.pid}`;
    if (!(await republish({ ...mongo, documents: mongo.building, holder, clock: systemClock })))
      throw new CommandError('a worker is publishing: stop every worker that has the role relay, then run this again');
  } finally {
    await mongo.close();
  }
};

/** The keys that all processes share, and nothing else. */
export const openSharedKeys = async (settings: DistributedSettings): Promise<OpenKeys> => {
  const mongo = await openStoredDatabase(settings, createLog('silent'));
  return { keys: mongo.keys, close: () => mongo.close() };
};

const PAGE = 500;

/** What waits of a parked key is read from the log: a message is only a pointer to it. */
const waitingIn =
  (store: EventStore, codec: EventCodec) =>
  async (stream: string, from: number): Promise<readonly MessagePointer[]> => {
    const stored = await store.readStream(stream, from, PAGE);
    return stored.map((event) => {
      const { revision, type } = event;
      return { stream, revision, type, key: stream, tenant: codec.decode(event).meta.tenant };
    });
  };
