import { hostname } from 'node:os';
import { sharpImages } from '../../../../libs/adapters/images/index.js';
import { simulatedGateway } from '../../../../libs/adapters/gateway/index.js';
import { readParkedKeys } from '../../../../libs/adapters/kafka/index.js';
import type { Mongo } from '../../../../libs/adapters/mongodb/index.js';
import { argon2Hasher } from '../../../../libs/adapters/passwords/index.js';
import { gptTokenizer } from '../../../../libs/adapters/tokenizer/index.js';
import { createIds, systemClock } from '../../../../libs/adapters/system/index.js';
import { openSigningKeys, type TokenKeys } from '../../../../libs/adapters/tokens/index.js';
import { MAX_REVOCATIONS_AGE, Revocations } from '../../../../libs/application/sessions/revocations.js';
import { MessageCounter } from '../../../../libs/audit/counts/message-counter.js';
import { contracts, topicLookup } from '../../../../libs/contracts/contracts.js';
import { createIdentities } from '../../../../libs/application/identities.js';
import { DOMAIN_EVENTS } from '../../../../libs/domain/events.js';
import type { Checkpoint, Collection, Documents } from '../../../../libs/eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import type { Ids } from '../../../../libs/eventsourcing/ports/ids.port.js';
import type { Leases } from '../../../../libs/eventsourcing/ports/leases.port.js';
import type { PoolState } from '../../../../libs/ports/metrics.port.js';
import type { RateLimitCounters } from '../../../../libs/ports/rate-limit-counters.port.js';
import { projections } from '../../../../libs/projections/projections.js';
import { createCodec } from '../../../../libs/runtime/codec/codec.js';
import { monotonic } from '../../../../libs/runtime/codec/monotonic-clock.js';
import { guardDocuments } from '../../../../libs/runtime/projecting/guarded-documents.js';
import {
  OPERATOR_STATE,
  OPERATOR_STATE_KEY,
  OperatorDecisions,
  stateIn,
  wantedFills,
} from '../../../../libs/runtime/operating/operator-state.js';
import { PARKED_STREAMS, readAllParkedStreams } from '../../../../libs/runtime/projecting/parked-streams.js';
import { recordFaults, type StreamFaults } from '../../../../libs/runtime/projecting/stream-faults.js';
import type { Log } from '../../logging/log.js';
import { createFaults, createKnowledge } from '../stream-knowledge.js';
import { createEgress } from '../egress.js';
import type { Observers } from '../observing/observers.js';
import { openProof } from '../proof.js';
import { readModelsOnServers } from '../read-models.js';
import type { StorePorts } from '../store.module.js';
import { pollFaults } from './watching/polls.js';
import { LogWatch, rejectAppendsAfterLoss } from './watching/log-watch.js';
import { createMessaging, type Messaging } from './messaging.js';
import { waitForMatchingStoreIds } from './one-store.js';
import { openLedger, openDatabase, openEvents, openStoreRecords, type DistributedSettings } from './open-servers.js';

/** What the distributed profile needs from the database in addition to StorePorts. */
export type SharedDatabase = {
  /** The read models for queries. Unlike `DistributedStore.documents`, they also return the documents of broken streams. */
  readonly documents: Documents;
  /** The read models for projections. Each call reads or writes exactly the projection version that the caller passes. */
  readonly projectionDocuments: Documents;
  readonly leases: Leases;
  readonly counters: RateLimitCounters;
  /** Makes queries use this version of a read model. Call it when this version has reached the end of the log. */
  putInService(collection: Collection): Promise<void>;
  /** Returns the stored checkpoints of these names. */
  checkpoints(names: readonly string[]): Promise<readonly Checkpoint[]>;
  /** Resolves when the database responds. Rejects with StoreUnavailable if it does not respond. */
  ping(): Promise<void>;
  /** Returns the current state of the connection pool. */
  pool(): PoolState;
};

/** The log of the event store. */
export type SharedLog = EventStore & {
  /** Returns the position of the last event in the log, or 0. */
  lastPosition(): Promise<number>;
  /** Resolves when the server responds. Rejects with StoreUnavailable if it does not respond. */
  ready(): Promise<void>;
};

/** The open ports of the distributed profile. */
export type DistributedStore = StorePorts &
  Messaging & {
    readonly store: SharedLog;
    /** Started by `openServedStore`. */
    readonly logWatch: LogWatch;
    readonly ids: Ids;
    readonly signingKeys: TokenKeys;
    readonly database: SharedDatabase;
    readonly messageCounter: MessageCounter;
    /** The streams that were altered, or that a newer version of the software wrote. */
    readonly faults: StreamFaults;
    /** Identifies this process among all processes of the service. */
    readonly owner: string;
    close(): Promise<void>;
  };

/** Connects to the event store and the database. The functions of `Messaging` connect to Kafka when they are called. */
export const openDistributedStore = async (
  settings: DistributedSettings,
  log: Log,
  observers: Observers = {},
): Promise<DistributedStore> => {
  const mongo = await openDatabase(settings, log);
  try {
    return { ...(await openPorts(mongo, settings, log, observers)), ...observers };
  } catch (error) {
    await mongo.close();
    throw error;
  }
};

/**
 * Opens a store to which requests and background work append events, and watches its log. Rejects with CommandError if the log lacks
 * events.
 */
export const openServedStore = async (settings: DistributedSettings, log: Log, observers: Observers = {}): Promise<DistributedStore> => {
  const opened = await openDistributedStore(settings, log, observers);
  try {
    await opened.logWatch.start();
    await opened.documents.prepare(OPERATOR_STATE);
    await opened.decisions.refresh();
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
};

/** Opens the ports. The codec `checked` does not record faults: it is for the parts that handle the faults that it finds. */
const openPorts = async (mongo: Mongo, settings: DistributedSettings, log: Log, { tracing }: Observers): Promise<DistributedStore> => {
  const { keys, work, blobs, projectionDocuments } = mongo;
  const clock = systemClock;
  const ids = createIds(clock);
  const { store, logWatch } = await openWatchedLog(mongo, settings, log);
  const identity = { log: store, records: openStoreRecords(mongo), keys, newId: () => ids.next() };
  const storeId = await waitForMatchingStoreIds(identity, clock, log);
  const faults = createFaults(() => mongo, projections, log);
  const decisions = new OperatorDecisions(mongo.documents);
  const checked = createCodec(DOMAIN_EVENTS, { keys, ids, clock: monotonic(clock), skipped: decisions });
  const codec = recordFaults(checked, faults);
  const stopPolling = await pollFaults({ store, codec: checked }, faults, clock, log);
  const revocations = new Revocations({ store, codec }, clock, MAX_REVOCATIONS_AGE);
  const signedLog = { store, codec: checked, clock, ids, storeId };
  const proof = await openProof({ ...signedLog, keys }, settings.signingKeyFile);
  return {
    ...createMessaging(settings, { store, codec, projectionDocuments, clock, log, tracing }),
    ...{ store, logWatch, keys, codec, clock, ids, work, blobs, faults, revocations, database: mongo },
    ...proof,
    messageCounter: new MessageCounter({ ...signedLog, signingKey: () => proof.proofKeys.newest(), topicOf: topicLookup(contracts) }),
    documents: guardReadModels(mongo.documents, faults, decisions),
    owner: `${hostname()}/${process.pid}/${ids.next()}`,
    writers: 'many processes',
    signingKeys: await openSigningKeys({ vault: keys, clock }),
    identities: await createIdentities(keys, ids),
    egress: createEgress(clock, settings),
    passwords: argon2Hasher(),
    images: sharpImages(clock),
    decisions,
    fills: mongo.fillsOf(projections, {
      parkedStreams: PARKED_STREAMS,
      decisions: { collection: OPERATOR_STATE, key: OPERATOR_STATE_KEY, wantedIn: (json) => wantedFills(stateIn(json), projections) },
    }),
    readModels: readModelsOnServers({ database: mongo, projections, head: () => store.lastPosition(), store, codec, clock }),
    parked: { streams: () => readAllParkedStreams(projectionDocuments), keys: () => readParkedKeys(projectionDocuments) },
    tokenizer: gptTokenizer(),
    gateway: simulatedGateway(openLedger(mongo), { clock, fingerprintKey: await keys.serviceKey('card-fingerprint') }),
    knowledge: await createKnowledge({ documents: mongo.documents, keys }, projections, faults, decisions),
    async close() {
      await logWatch.stop();
      await stopPolling();
      await store.close();
      await mongo.close();
    },
  };
};

const openWatchedLog = async (database: Mongo, settings: DistributedSettings, log: Log) => {
  const events = await openEvents(settings, log);
  const logWatch = new LogWatch({ store: events, database, clock: systemClock, log });
  return { store: rejectAppendsAfterLoss(events, logWatch), logWatch };
};

/** Wraps documents, see `guardDocuments`. */
const guardReadModels = (documents: Documents, faults: StreamFaults, decisions: OperatorDecisions): Documents =>
  guardDocuments(documents, { of: (stream) => faults.of(stream), lookUp: (stream) => faults.lookUp(stream) }, decisions, projections);
