import { openFolder, openSqlite, type SqliteStore } from '../../../../libs/adapters/sqlite/index.js';
import { openSimulatedGateway, type SimulatedGateway } from '../../../../libs/adapters/gateway/index.js';
import { createIds, systemClock } from '../../../../libs/adapters/system/index.js';
import { SMALL_BATCH, type CatchUpOptions } from '../../../../libs/runtime/projecting/catch-up.js';
import { createCodec } from '../../../../libs/runtime/codec/codec.js';
import { prepareDeliveries } from '../../../../libs/deliveries/collections.js';
import { notifyOnEnqueue, type NotifyingWorkQueue } from '../../../../libs/deliveries/dispatch/dispatcher.js';
import { GATEWAY_CALLS } from '../../../../libs/application/payments/gateway-calls.js';
import { createIdentities } from '../../../../libs/application/identities.js';
import { doKeysMatchLog } from '../../../../libs/runtime/codec/key-proof.js';
import { guardDocuments } from '../../../../libs/runtime/projecting/guarded-documents.js';
import { createProjector } from '../../../../libs/runtime/projecting/projector.js';
import { recordFaults, type StreamFaults } from '../../../../libs/runtime/projecting/stream-faults.js';
import { DOMAIN_EVENTS } from '../../../../libs/domain/events.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import type { EventCodec } from '../../../../libs/eventsourcing/handle.js';
import type { Ids } from '../../../../libs/eventsourcing/ports/ids.port.js';
import type { KeyVault } from '../../../../libs/eventsourcing/ports/key-vault.port.js';
import type { Messages } from '../../../../libs/eventsourcing/ports/messages.port.js';
import type { Projection } from '../../../../libs/eventsourcing/projection.js';
import { reasonOf } from '../../../../libs/eventsourcing/reason.js';
import { projections as allProjections } from '../../../../libs/projections/projections.js';
import { CommandError } from '../../errors/command-error.js';
import { catchUpEmbedded, checkEmbedded, retryParkedStreams, withdrawBrokenStreams, type EmbeddedHistory } from './embedded-history.js';
import { rebuildEmbedded, type RebuildResult } from './embedded-rebuild.js';
import { createFaults, readShownRevision } from '../stream-faults.js';
import type { Log } from '../../logging/log.js';
import { createEgress, type EgressSettings } from '../egress.js';
import type { StorePorts } from '../store.module.js';

export type SqliteOptions = {
  /** A folder, created if missing, or `:memory:`. */
  readonly directory: string;
  readonly log: Log;
  readonly clock?: Clock;
  /** Tests replace these with failing ones. */
  readonly projections?: readonly Projection[];
  /** Which callers' addresses the store sends to; by default only those on the public Internet. */
  readonly egress?: EgressSettings;
  /** Milliseconds that the slow test card takes. */
  readonly slowMilliseconds?: number;
};

const PUBLIC_ONLY: EgressSettings = { egressAllow: 'none', egressProxy: undefined };

type CatchingUp = Pick<CatchUpOptions, 'batch' | 'onProgress' | 'signal'>;

/** The open ports of the embedded profile. */
export type EmbeddedStore = StorePorts & {
  /** Notifies this process of enqueued work. */
  readonly work: NotifyingWorkQueue;
  readonly ids: Ids;
  /** The id in each file of the store; null in memory. */
  readonly storeId: string | null;
  readonly messages: Messages;
  readonly gateway: SimulatedGateway;
  /** Returns the position of the log's last event. */
  readonly head: () => number;
  /** Returns whether the disk accepts writes. */
  readonly isWritable: () => Promise<boolean>;
  /** Records the address of this process for other processes. */
  readonly announce: (url: string) => void;
  /** Catches up all read models with the log. Resolves with the position reached. */
  catchUp(options: CatchingUp): Promise<number>;
  /** The streams that were altered, or that a newer version of the software wrote. */
  readonly faults: StreamFaults;
  /** Rebuilds all read models beside those in service, or resumes an interrupted rebuild. */
  rebuild(options: CatchingUp & { readonly acceptAltered: boolean }): Promise<RebuildResult>;
  /** Checks the whole log in the background and notes faults. */
  checkHistory(signal: AbortSignal): Promise<void>;
  /** Retries parked streams. Resolves with the number of streams that are no longer parked. */
  retryParkedStreams(): Promise<number>;
  close(): Promise<void>;
};

/** Opens a store's folder. Throws when another process uses it or it cannot be used. */
export const openEmbeddedStore = async (options: SqliteOptions): Promise<EmbeddedStore> => {
  const { log, egress = PUBLIC_ONLY } = options;
  const { ids, keys, checked, storeId, ...history } = await openHistory(options);
  const { embedded, codec, projectors, faults, clock } = history;
  const { events: store, messages, head, isWritable, announce } = embedded;
  await withdrawBrokenStreams(history, (error) =>
    log.error({ err: error }, 'the document of a broken stream could not be withdrawn from its read model'),
  );
  const documents = guardDocuments(
    embedded.documents,
    { of: (stream) => faults.of(stream), lookUp: async (stream) => faults.of(stream) },
    options.projections ?? allProjections,
  );
  await prepareDeliveries(documents);
  // The charge of a killed process resumes at once instead of after its claim expires.
  await embedded.work.makeDue(GATEWAY_CALLS);
  const gateway = await openGateway(embedded, options, clock, await keys.serviceKey('card-fingerprint'));
  return {
    ...{ storeId, gateway, documents, keys, codec, clock, ids, faults },
    ...{ store, messages, head, isWritable, announce },
    identities: await createIdentities(keys, ids),
    egress: createEgress(clock, egress),
    work: notifyOnEnqueue(embedded.work),
    knowledge: { faults, readModelRevision: (stream) => readShownRevision(embedded.documents, projectors, stream) },
    catchUp: (how) => catchUpEmbedded(history, { batch: SMALL_BATCH, ...how }),
    rebuild: (how) => rebuildEmbedded({ ...history, codec: checked }, how),
    checkHistory: (signal) => checkEmbedded(history, signal),
    retryParkedStreams: () => retryParkedStreams({ ...history, codec: checked }),
    async close() {
      await embedded.close();
      gateway.close();
    },
  };
};

/** The log, its read models and its faults, with the parts that read and write it. */
type OpenHistory = EmbeddedHistory & {
  readonly ids: Ids;
  readonly keys: KeyVault;
  readonly codec: EventCodec;
  /** Throws on a fault without noting it. */
  readonly checked: EventCodec;
  readonly storeId: string | null;
};

const openHistory = async (options: SqliteOptions): Promise<OpenHistory> => {
  const { directory, log, clock = systemClock, projections = allProjections } = options;
  const folder = await openFolder(directory, clock, doKeysMatchLog);
  const { keys, storeId } = folder;
  const ids = createIds(clock);
  const checked = createCodec(DOMAIN_EVENTS, { keys, ids, clock });
  const codec = recordFaults(checked, { record: (fault) => faults.record(fault) });
  const projectors = projections.map((projection) => createProjector(projection));
  const faults: StreamFaults = createFaults(() => embedded, projectors, log);
  const embedded: SqliteStore = await openSqlite({ directory, projectors, codec, clock, log, folder });
  await faults.open();
  return { embedded, codec, checked, projectors, faults, clock, ids, keys, storeId };
};

/** Opens the ledger. Throws CommandError when it cannot be used, as for the other files of the folder. */
const openGateway = async (
  embedded: SqliteStore,
  { directory, slowMilliseconds }: SqliteOptions,
  clock: Clock,
  fingerprintKey: Uint8Array,
): Promise<SimulatedGateway> => {
  try {
    return openSimulatedGateway({ directory, clock, fingerprintKey, ...(slowMilliseconds !== undefined && { slowMilliseconds }) });
  } catch (error) {
    await embedded.close();
    throw new CommandError(`the payment ledger cannot be used: ${reasonOf(error)}`);
  }
};
