import { hostname } from 'node:os';
import { simulatedGateway } from '../../../../libs/adapters/gateway/index.js';
import type { Mongo } from '../../../../libs/adapters/mongodb/index.js';
import { argon2Hasher } from '../../../../libs/adapters/passwords/index.js';
import { createIds, systemClock } from '../../../../libs/adapters/system/index.js';
import { createIdentities } from '../../../../libs/application/identities.js';
import { DOMAIN_EVENTS } from '../../../../libs/domain/events.js';
import type { Collection, Documents } from '../../../../libs/eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import type { Ids } from '../../../../libs/eventsourcing/ports/ids.port.js';
import type { Leases } from '../../../../libs/eventsourcing/ports/leases.port.js';
import type { RateLimitCounters } from '../../../../libs/ports/rate-limit-counters.port.js';
import { projections } from '../../../../libs/projections/projections.js';
import { createCodec } from '../../../../libs/runtime/codec/codec.js';
import { guardDocuments } from '../../../../libs/runtime/projecting/guarded-documents.js';
import { recordFaults, type StreamFaults } from '../../../../libs/runtime/projecting/stream-faults.js';
import type { Log } from '../../logging/log.js';
import { createFaults, readModelRevision } from '../stream-faults.js';
import { createEgress } from '../egress.js';
import type { StorePorts } from '../store.module.js';
import { pollFaults } from './poll-faults.js';
import { createMessaging, type Messaging } from './messaging.js';
import { waitForMatchingStoreIds } from './one-store.js';
import { openLedger, openDatabase, openEvents, openStoreRecords, type DistributedSettings } from './open-servers.js';

/** The parts of the database that only the distributed profile uses. */
export type SharedDatabase = {
  /** The read models for queries, including documents of broken streams. */
  readonly documents: Documents;
  /** The read models for projections, which read and write exactly the version that they pass. */
  readonly projectionDocuments: Documents;
  readonly leases: Leases;
  readonly counters: RateLimitCounters;
  /** Makes queries use a version of a read model. Call it when the version has reached the end of the log. */
  putInService(collection: Collection): Promise<void>;
  /** Resolves when the database responds. Otherwise rejects with StoreUnavailable. */
  ping(): Promise<void>;
};

/** The log of the event store. */
export type SharedLog = EventStore & {
  /** Returns the position of the last event in the log, or 0. */
  lastPosition(): Promise<number>;
  /** Resolves when the server responds. Otherwise rejects with StoreUnavailable. */
  ready(): Promise<void>;
};

/** The open ports of the distributed profile. */
export type DistributedStore = StorePorts &
  Messaging & {
    readonly store: SharedLog;
    readonly ids: Ids;
    readonly database: SharedDatabase;
    /** The streams that were altered, or that a newer version of the software wrote. */
    readonly faults: StreamFaults;
    /** Identifies this process among all processes of the service. */
    readonly holder: string;
    close(): Promise<void>;
  };

/** Connects to the event store and the database, but not to Kafka: `Messaging` does that when it is used. */
export const openDistributedStore = async (settings: DistributedSettings, log: Log): Promise<DistributedStore> => {
  const mongo = await openDatabase(settings, log);
  try {
    return await openPorts(mongo, settings, log);
  } catch (error) {
    await mongo.close();
    throw error;
  }
};

const openPorts = async (mongo: Mongo, settings: DistributedSettings, log: Log): Promise<DistributedStore> => {
  const { keys, work, projectionDocuments } = mongo;
  const clock = systemClock;
  const ids = createIds(clock);
  const store = await openEvents(settings, log);
  await waitForMatchingStoreIds({ log: store, records: openStoreRecords(mongo), keys, newId: () => ids.next() }, clock, log);
  const faults = createFaults(() => mongo, projections, log);
  const checked = createCodec(DOMAIN_EVENTS, { keys, ids, clock });
  const codec = recordFaults(checked, faults);
  const stopPolling = await pollFaults({ store, codec: checked }, faults, clock, log);
  return {
    ...createMessaging(settings.servers, { store, codec, projectionDocuments, clock, log }),
    ...{ store, keys, codec, clock, ids, work, faults, database: mongo },
    documents: guardFaults(mongo.documents, faults),
    holder: `${hostname()}/${process.pid}/${ids.next()}`,
    writers: 'many processes',
    identities: await createIdentities(keys, ids),
    egress: createEgress(clock, settings),
    passwords: argon2Hasher(),
    gateway: simulatedGateway(openLedger(mongo), { clock, fingerprintKey: await keys.serviceKey('card-fingerprint') }),
    knowledge: { faults, readModelRevision: (stream) => readModelRevision(mongo.documents, projections, stream) },
    async close() {
      await stopPolling();
      await store.close();
      await mongo.close();
    },
  };
};

const guardFaults = (documents: Documents, faults: StreamFaults): Documents =>
  guardDocuments(documents, { of: (stream) => faults.of(stream), lookUp: (stream) => faults.lookUp(stream) }, projections);
