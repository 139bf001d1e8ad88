import { openFolder, openLedger, openSqlite, type OpenLedger, type SqliteStore } from '../../../../libs/adapters/sqlite/index.js';
import { FileBlobs, memoryBlobs } from '../../../../libs/adapters/files/index.js';
import { sharpImages } from '../../../../libs/adapters/images/index.js';
import { simulatedGateway } from '../../../../libs/adapters/gateway/index.js';
import { argon2Hasher } from '../../../../libs/adapters/passwords/index.js';
import { gptTokenizer } from '../../../../libs/adapters/tokenizer/index.js';
import { createIds, systemClock } from '../../../../libs/adapters/system/index.js';
import { openSigningKeys, type TokenKeys } from '../../../../libs/adapters/tokens/index.js';
import { createSerialQueue } from '../../../../libs/eventsourcing/scheduling/serial-queue.js';
import { SMALL_BATCH, type CatchUpOptions } from '../../../../libs/runtime/projecting/catch-up.js';
import { createCodec } from '../../../../libs/runtime/codec/codec.js';
import { monotonic, recordedTimeOf, type MonotonicClock } from '../../../../libs/runtime/codec/monotonic-clock.js';
import { prepareKeptDocuments } from '../../../../libs/application/state/kept-documents.js';
import { notifyOnEnqueue, type NotifyingWorkQueue } from '../../../../libs/runtime/work/dispatcher.js';
import { GATEWAY_CALLS } from '../../../../libs/application/payments/gateway-calls.js';
import { Revocations } from '../../../../libs/application/sessions/revocations.js';
import { createIdentities } from '../../../../libs/application/identities.js';
import { doKeysMatchLog } from '../../../../libs/runtime/codec/key-proof.js';
import { guardDocuments } from '../../../../libs/runtime/projecting/guarded-documents.js';
import { createProjector } from '../../../../libs/runtime/projecting/projector.js';
import { readModelsOfFolder } from '../read-models.js';
import { OperatorDecisions, readWantedFills } from '../../../../libs/runtime/operating/operator-state.js';
import { recordFaults, type StreamFaults } from '../../../../libs/runtime/projecting/stream-faults.js';
import { DOMAIN_EVENTS } from '../../../../libs/domain/events.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import type { Documents } from '../../../../libs/eventsourcing/ports/documents.port.js';
import type { ReadModelFailure } from '../../../../libs/eventsourcing/ports/read-models.port.js';
import type { HistoryFault } from '../../../../libs/eventsourcing/history.js';
import type { EventCodec } from '../../../../libs/eventsourcing/event-codec.js';
import type { Ids } from '../../../../libs/eventsourcing/ports/ids.port.js';
import type { KeyVault, ServiceKeyList } from '../../../../libs/eventsourcing/ports/key-vault.port.js';
import type { Messages } from '../../../../libs/eventsourcing/ports/messages.port.js';
import type { Tracing } from '../../../../libs/eventsourcing/ports/tracing.port.js';
import type { Projection } from '../../../../libs/eventsourcing/projection.js';
import type { Metrics } from '../../../../libs/ports/metrics.port.js';
import type { PasswordHasher } from '../../../../libs/ports/password-hasher.port.js';
import { reasonOf } from '../../../../libs/eventsourcing/reason.js';
import { projections as allProjections } from '../../../../libs/projections/projections.js';
import type { PaymentGateway } from '../../../../libs/ports/payment-gateway.port.js';
import { CommandError } from '../../errors/command-error.js';
import {
  catchUpEmbedded,
  checkEmbedded,
  findMissingEvents,
  removeBrokenDocuments,
  retryParkedStreams,
  type EmbeddedHistory,
} from './embedded-history.js';
import { rebuildEmbedded, type RebuildOptions, type RebuildResult } from './embedded-rebuild.js';
import { createFaults, createKnowledge } from '../stream-knowledge.js';
import type { Log } from '../../logging/log.js';
import { createEgress, type EgressSettings } from '../egress.js';
import { openProof } from '../proof.js';
import { observersOf } from '../observing/observers.js';
import type { StorePorts } from '../store.module.js';

export type EmbeddedStoreOptions = {
  /** The path of a folder, which is created if it is missing, or `:memory:`. */
  readonly directory: string;
  readonly log: Log;
  readonly clock?: Clock;
  /** The projections. Tests replace them. */
  readonly projections?: readonly Projection[];
  /** The hasher of passwords. Tests replace it, to count its calls. */
  readonly passwords?: PasswordHasher;
  /** The addresses to which the service may send requests. Default: only those on the public Internet. */
  readonly egress?: EgressSettings;
  /** Counts what this process does. Default: nothing is counted. */
  readonly metrics?: Metrics;
  /** Records the spans of requests. Default: nothing is traced. */
  readonly tracing?: Tracing;
  /** The setting SIGNING_KEY_FILE: the path of a file. */
  readonly signingKeyFile?: string | undefined;
  /** The size of each page cache of SQLite in KiB, see `SqliteOptions`. */
  readonly cacheKib?: number;
  /** The duration in milliseconds of a charge on the slow test card. */
  readonly slowMilliseconds?: number;
};

/** The store id in the signed checkpoints of a store in memory. */
const IN_MEMORY = 'memory';
const MEMORY_FOLDER = ':memory:';

/** Seconds that the clock may lag behind the last event without a warning. */
const MAX_CLOCK_LAG = 1;

const PUBLIC_ONLY: EgressSettings = { egressAllow: 'none', egressProxy: undefined };

type EmbeddedCatchUpOptions = Pick<CatchUpOptions, 'batch' | 'onProgress' | 'signal'>;

/** The ports of the embedded profile, opened on a folder or in memory. */
export type EmbeddedStore = StorePorts & {
  /** The work queue. It notifies this process when work is enqueued. */
  readonly work: NotifyingWorkQueue;
  readonly signingKeys: TokenKeys;
  readonly ids: Ids;
  /** The id of the store, or null for a store in memory. */
  readonly storeId: string | null;
  readonly messages: Messages;
  readonly gateway: PaymentGateway;
  /** Returns the position of the last event in the log. */
  readonly head: () => number;
  /** Returns why a write would fail, or null. */
  readonly whyNotWritable: () => Promise<string | null>;
  /** Writes the URL of this process, and the issuer of its tokens, to the folder, where commands find them. */
  readonly announce: (url: string, issuer?: string) => void;
  /** Applies the log to all read models. Returns the position that the read models have reached. */
  catchUp(options: EmbeddedCatchUpOptions): Promise<number>;
  /** The streams that were altered, or that a newer version of the software wrote. */
  readonly faults: StreamFaults;
  /** Rebuilds all read models beside the current ones, or resumes an interrupted rebuild. */
  rebuild(options: RebuildOptions): Promise<RebuildResult>;
  /** The projections that were paused and have not caught up since. */
  readonly resuming: ReadonlySet<string>;
  /** Returns the parked streams, each with its read model. */
  readonly parkedStreams: SqliteStore['parkedStreams'];
  /** The positions of this log have no gaps, so a missing position means a missing event. */
  readonly positions: 'without gaps';
  /**
   * Yields a fault for each document with a higher revision than its stream in the log. Yields one more fault if the log ends
   * before the checkpoint of a read model or of another reader. In both cases the log has lost events.
   */
  findMissingEvents(signal: AbortSignal): AsyncIterable<HistoryFault>;
  /** Checks the whole log in the background and records faults. */
  checkHistory(signal: AbortSignal): Promise<void>;
  /** Retries parked streams. Returns the number of streams that are no longer parked. */
  retryParkedStreams(): Promise<number>;
  close(): Promise<void>;
};

/** Opens the store of a folder. Rejects if another process uses the folder, or if the folder cannot be used. */
export const openEmbeddedStore = async (options: EmbeddedStoreOptions): Promise<EmbeddedStore> => {
  const history = await openHistory(options);
  try {
    return await openOn(history, options);
  } catch (error) {
    // Its threads would keep a command from ending.
    await history.sqlite.close();
    throw error;
  }
};

const openOn = async (
  { ids, keys, nonRecordingCodec, storeId, ...history }: OpenHistory,
  options: EmbeddedStoreOptions,
): Promise<EmbeddedStore> => {
  const { log, egress = PUBLIC_ONLY, passwords = argon2Hasher() } = options;
  const { sqlite, codec, projectors, faults, clock, decisions } = history;
  const { events: store, messages, head, whyNotWritable, announce } = sqlite;
  const onNotRemoved = (error: unknown): void =>
    log.error({ err: error }, 'could not remove the document of a broken stream from its read model');
  await removeBrokenDocuments(history, onNotRemoved);
  const documents = guardDocuments(
    sqlite.documents,
    { of: (stream) => faults.of(stream), lookUp: async (stream) => faults.of(stream) },
    decisions,
    options.projections ?? allProjections,
  );
  await prepareKeptDocuments(documents);
  await decisions.refresh();
  const following = await followDecisions(history, documents);
  const revocations = new Revocations({ store, codec }, clock);
  const proof = await openProof(
    { store, codec: nonRecordingCodec, clock, ids, storeId: storeId ?? IN_MEMORY, keys },
    options.signingKeyFile,
  );
  await revocations.refresh();
  // A killed process may have left a claim on a charge. `makeDue` makes the charge due now, before the claim expires.
  await sqlite.work.makeDue(GATEWAY_CALLS);
  const ledger = await openPaymentLedger(sqlite, options.directory);
  return {
    gateway: await openGateway(ledger, options, { clock, keys }),
    ...{ storeId, documents, keys, codec, clock, ids, faults, revocations, passwords },
    ...{ store, messages, head, whyNotWritable, announce, ...proof },
    ...observersOf(options),
    signingKeys: await openSigningKeys({ vault: keys, clock, replacesEd25519: true }),
    identities: await createIdentities(keys, ids),
    egress: createEgress(clock, egress),
    blobs: options.directory === MEMORY_FOLDER ? memoryBlobs(clock) : new FileBlobs(options.directory),
    images: sharpImages(clock),
    tokenizer: gptTokenizer(),
    work: notifyOnEnqueue(sqlite.work),
    decisions,
    readModels: readModelsOfFolder({ ...history, lastError: following.lastError }),
    fills: sqlite.fills,
    resuming: following.resuming,
    parked: { streams: async () => sqlite.parkedStreams(), keys: async () => sqlite.parkedKeys() },
    knowledge: await createKnowledge({ documents: sqlite.documents, keys }, projectors, faults, decisions),
    ...historyPorts(history, following, nonRecordingCodec, onNotRemoved),
    close: () => sqlite.close().then(() => ledger.close()),
  };
};

/** The log, its read models and its faults, with its keys and codecs. */
type OpenHistory = EmbeddedHistory & {
  readonly ids: Ids;
  readonly keys: KeyVault & ServiceKeyList;
  readonly codec: EventCodec;
  /** Like `codec`, but does not record faults: a rebuild and retries of parked streams record and clear faults themselves. */
  readonly nonRecordingCodec: EventCodec;
  readonly storeId: string | null;
};

const openHistory = async (options: EmbeddedStoreOptions): Promise<OpenHistory> => {
  const { directory, log, clock = systemClock, projections = allProjections, cacheKib } = options;
  const folder = await openFolder(directory, clock, doKeysMatchLog);
  const { keys, storeId } = folder;
  const ids = createIds(clock);
  const eventClock = monotonic(clock);
  const decisions = new OperatorDecisions({ get: (...args) => sqlite.documents.get(...args) });
  const nonRecordingCodec = createCodec(DOMAIN_EVENTS, { keys, ids, clock: eventClock, skipped: decisions });
  const codec = recordFaults(nonRecordingCodec, { record: (fault) => faults.record(fault) });
  const projectors = projections.map((projection) => createProjector(projection));
  const faults: StreamFaults = createFaults(() => sqlite, projectors, log);
  const sqlite: SqliteStore = await openSqlite({
    directory,
    projectors,
    codec,
    clock,
    log,
    folder,
    ...(cacheKib !== undefined && { cacheKib }),
  });
  await faults.open();
  await advanceToLastEvent(eventClock, sqlite, clock, log);
  return { sqlite, codec, nonRecordingCodec, projectors, faults, clock, ids, keys, storeId, decisions, exclusively: createSerialQueue() };
};

type HistoryPorts = Pick<
  EmbeddedStore,
  'catchUp' | 'rebuild' | 'parkedStreams' | 'positions' | 'findMissingEvents' | 'checkHistory' | 'retryParkedStreams'
>;

/** Lets a folder follow what operators decide about its read models, and catches them up. */
type Following = {
  readonly catchUp: (how: EmbeddedCatchUpOptions) => Promise<number>;
  /** The projections that were paused and have not caught up since. */
  readonly resuming: ReadonlySet<string>;
  /** Returns why the last catch-up has failed, until one succeeds. */
  readonly lastError: () => ReadModelFailure | null;
};

/** Follows what operators have decided, and from now on what they decide. Both never happen while read models catch up. */
const followDecisions = async (history: EmbeddedHistory, documents: Documents): Promise<Following> => {
  const { sqlite, projectors, decisions } = history;
  const inTurn = createSerialQueue();
  let changed = new AbortController();
  let wasPaused: ReadonlySet<string> = new Set();
  const resuming = new Set<string>();
  let failure: ReadModelFailure | null = null;
  const noteCaughtUp = (): void => {
    for (const { name, collection } of projectors) if (sqlite.isInline(collection)) resuming.delete(name);
  };
  const follow = (): Promise<void> => {
    changed.abort();
    return inTurn(async () => {
      changed = new AbortController();
      const paused = new Set(Object.keys(decisions.current().paused ?? {}));
      for (const { name } of projectors) if (wasPaused.has(name) && !paused.has(name)) resuming.add(name);
      wasPaused = paused;
      await sqlite.setPaused(paused);
      noteCaughtUp();
      await sqlite.fills.follow(() => readWantedFills(documents, projectors));
    });
  };
  await follow();
  decisions.onChange(follow);
  return {
    resuming,
    lastError: () => failure,
    async catchUp({ signal: stopping, ...how }) {
      const note = (error: unknown): never => {
        failure = { error: reasonOf(error), at: history.clock.now().toISOString() };
        throw error;
      };
      for (;;) {
        let { signal } = changed;
        const position = await inTurn(() => {
          ({ signal } = changed);
          const unpaused = projectors.filter(({ name }) => !decisions.isPaused(name));
          const ending = stopping ? AbortSignal.any([stopping, signal]) : signal;
          return catchUpEmbedded({ ...history, projectors: unpaused }, { batch: SMALL_BATCH, ...how, signal: ending });
        }).catch(note);
        failure = null;
        noteCaughtUp();
        // What operators have decided meanwhile is followed now. Then the others go on.
        if (!signal.aborted || stopping?.aborted) return position;
      }
    },
  };
};

const historyPorts = (
  history: EmbeddedHistory,
  { catchUp }: Following,
  nonRecordingCodec: EventCodec,
  onNotRemoved: (error: unknown) => void,
): HistoryPorts => ({
  catchUp,
  rebuild: (how) => rebuildEmbedded({ ...history, codec: nonRecordingCodec }, how),
  parkedStreams: history.sqlite.parkedStreams,
  positions: 'without gaps',
  findMissingEvents: (signal) => findMissingEvents(history, signal),
  checkHistory: (signal) => checkEmbedded(history, signal),
  retryParkedStreams: () => retryParkedStreams({ ...history, codec: nonRecordingCodec }, onNotRemoved),
});

/**
 * Advances the event clock to the time of the last event (contract 23.2). Logs a warning if the clock of this machine is more
 * than MAX_CLOCK_LAG behind that time.
 */
const advanceToLastEvent = async (
  eventClock: MonotonicClock,
  { events, head }: Pick<SqliteStore, 'events' | 'head'>,
  clock: Clock,
  log: Log,
): Promise<void> => {
  const [last] = await events.readAll(head() - 1, 1);
  const time = last && recordedTimeOf(last);
  if (!time) return;
  eventClock.advanceTo(time);
  const seconds = (time.getTime() - clock.now().getTime()) / 1_000;
  if (seconds > MAX_CLOCK_LAG)
    log.warn({ seconds }, "the clock of this machine is behind the last event: until it catches up, new events get that event's time");
};

const openGateway = async (
  ledger: OpenLedger,
  { slowMilliseconds }: EmbeddedStoreOptions,
  { clock, keys }: Pick<OpenHistory, 'clock' | 'keys'>,
): Promise<PaymentGateway> =>
  simulatedGateway(ledger, { clock, fingerprintKey: await keys.serviceKey('card-fingerprint'), slowMilliseconds });

/** Opens the gateway's ledger. If it cannot be used, closes the store and throws CommandError. */
const openPaymentLedger = async (sqlite: SqliteStore, directory: string): Promise<OpenLedger> => {
  try {
    return openLedger(directory);
  } catch (error) {
    await sqlite.close();
    throw new CommandError(`the payment ledger cannot be used: ${reasonOf(error)}`);
  }
};
