import { openFolder, openSqlite, type SqliteStore } from '../../../../libs/adapters/sqlite/index.js';
import { openSimulatedGateway, type SimulatedGateway } from '../../../../libs/adapters/gateway/index.js';
import { argon2Hasher } from '../../../../libs/adapters/passwords/index.js';
import { createIds, systemClock } from '../../../../libs/adapters/system/index.js';
import { SMALL_BATCH, type CatchUpOptions } from '../../../../libs/runtime/projecting/catch-up.js';
import { createCodec } from '../../../../libs/runtime/codec/codec.js';
import { prepareDeliveries } from '../../../../libs/deliveries/collections.js';
import { notifyOnEnqueue, type NotifyingWorkQueue } from '../../../../libs/deliveries/dispatch/dispatcher.js';
import { GATEWAY_CALLS } from '../../../../libs/application/payments/gateway-calls.js';
import { prepareCredentials } from '../../../../libs/application/users/credentials.js';
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
import { catchUpEmbedded, checkEmbedded, retryParkedStreams, removeBrokenDocuments, type EmbeddedHistory } from './embedded-history.js';
import { rebuildEmbedded, type RebuildResult } from './embedded-rebuild.js';
import { createFaults, readModelRevision } from '../stream-faults.js';
import type { Log } from '../../logging/log.js';
import { createEgress, type EgressSettings } from '../egress.js';
import type { StorePorts } from '../store.module.js';

export type EmbeddedStoreOptions = {
  /** A folder, created if missing, or `:memory:`. */
  readonly directory: string;
  readonly log: Log;
  readonly clock?: Clock;
  /** The projections. Tests replace them. */
  readonly projections?: readonly Projection[];
  /** The addresses to which the service may send requests. Default: only those on the public Internet. */
  readonly egress?: EgressSettings;
  /** The duration in milliseconds of a charge on the slow test card. */
  readonly slowMilliseconds?: number;
};

const PUBLIC_ONLY: EgressSettings = { egressAllow: 'none', egressProxy: undefined };

type CatchingUp = Pick<CatchUpOptions, 'batch' | 'onProgress' | 'signal'>;

/** The open ports of the embedded profile. */
export type EmbeddedStore = StorePorts & {
  /** Notifies this process of enqueued work. */
  readonly work: NotifyingWorkQueue;
  readonly ids: Ids;
  /** The id of the store, or null for a store in memory. */
  readonly storeId: string | null;
  readonly messages: Messages;
  readonly gateway: SimulatedGateway;
  /** Returns the position of the last event in the log. */
  readonly head: () => number;
  /** Returns whether the disk accepts writes. */
  readonly isWritable: () => Promise<boolean>;
  /** Writes the URL of this process to the folder, where commands find it. */
  readonly announce: (url: string) => void;
  /** Applies the log to all read models. Resolves with the position that they have reached. */
  catchUp(options: CatchingUp): Promise<number>;
  /** The streams that were altered, or that a newer version of the software wrote. */
  readonly faults: StreamFaults;
  /** Rebuilds all read models beside the current ones, or resumes an interrupted rebuild. */
  rebuild(options: CatchingUp & { readonly acceptAltered: boolean }): Promise<RebuildResult>;
  /** Checks the whole log in the background and records faults. */
  checkHistory(signal: AbortSignal): Promise<void>;
  /** Retries parked streams. Resolves with the number of streams that are no longer parked. */
  retryParkedStreams(): Promise<number>;
  close(): Promise<void>;
};

/** Opens the store of a folder. Throws when another process uses the folder, or the folder cannot be used. */
export const openEmbeddedStore = async (options: EmbeddedStoreOptions): Promise<EmbeddedStore> => {
  const { log, egress = PUBLIC_ONLY } = options;
  const { ids, keys, checked, storeId, ...history } = await openHistory(options);
  const { embedded, codec, projectors, faults, clock } = history;
  const { events: store, messages, head, isWritable, announce } = embedded;
  await removeBrokenDocuments(history, (error) =>
    log.error({ err: error }, 'could not remove the document of a broken stream from its read model'),
  );
  const documents = guardDocuments(
    embedded.documents,
    { of: (stream) => faults.of(stream), lookUp: async (stream) => faults.of(stream) },
    options.projections ?? allProjections,
  );
  await prepareDeliveries(documents);
  await prepareCredentials(documents);
  // A charge that a killed process has claimed resumes now, and not when the claim expires.
  await embedded.work.makeDue(GATEWAY_CALLS);
  const gateway = await openGateway(embedded, options, clock, await keys.serviceKey('card-fingerprint'));
  return {
    ...{ storeId, gateway, documents, keys, codec, clock, ids, faults },
    ...{ store, messages, head, isWritable, announce },
    identities: await createIdentities(keys, ids),
    egress: createEgress(clock, egress),
    passwords: argon2Hasher(),
    work: notifyOnEnqueue(embedded.work),
    knowledge: { faults, readModelRevision: (stream) => readModelRevision(embedded.documents, projectors, stream) },
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

/** The log, its read models and its faults, with its keys and codecs. */
type OpenHistory = EmbeddedHistory & {
  readonly ids: Ids;
  readonly keys: KeyVault;
  readonly codec: EventCodec;
  /** A codec that throws on a fault without recording it. */
  readonly checked: EventCodec;
  readonly storeId: string | null;
};

const openHistory = async (options: EmbeddedStoreOptions): Promise<OpenHistory> => {
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

/** Opens the ledger. Throws CommandError when it cannot be used. */
const openGateway = async (
  embedded: SqliteStore,
  { directory, slowMilliseconds }: EmbeddedStoreOptions,
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
