import { openFolder, openSqlite, type Sqlite } from '../../../../libs/adapters/sqlite/index.js';
import { openSimulatedGateway, type SimulatedGateway, type SimulatedGatewayOptions } from '../../../../libs/adapters/gateway/index.js';
import { createIds, systemClock } from '../../../../libs/adapters/system/index.js';
import { catchUp, CONSIDERATE_BATCH, type CatchUpOptions } from '../../../../libs/runtime/projecting/catch-up.js';
import { createCodec } from '../../../../libs/runtime/codec/codec.js';
import { prepareDeliveries } from '../../../../libs/deliveries/collections.js';
import { heard, type HeardWorkQueue } from '../../../../libs/deliveries/dispatch/dispatching.js';
import { GATEWAY_CALLS } from '../../../../libs/application/payments/gateway-calls.js';
import { createIdentities } from '../../../../libs/application/identities.js';
import { areKeysOf } from '../../../../libs/runtime/codec/key-proof.js';
import { guardDocuments } from '../../../../libs/runtime/projecting/guarded-documents.js';
import { createProjector } from '../../../../libs/runtime/projecting/projector.js';
import { stillBroken } from '../../../../libs/runtime/projecting/projecting.js';
import { notingFaults, type StreamFaults } from '../../../../libs/runtime/projecting/stream-faults.js';
import { recheckUnshown } from '../../../../libs/runtime/codec/verified-history.js';
import { DOMAIN_EVENTS } from '../../../../libs/domain/events.js';
import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import type { Ids } from '../../../../libs/eventsourcing/ports/ids.port.js';
import type { Projection } from '../../../../libs/eventsourcing/projection.js';
import { reasonOf } from '../../../../libs/eventsourcing/reason.js';
import { projections as allProjections } from '../../../../libs/projections/projections.js';
import { CommandError } from '../../refusals/command-error.js';
import { checkEmbedded, withdrawBroken } from './embedded-history.js';
import { rebuildEmbedded, type Rebuilt } from './embedded-rebuild.js';
import { createFaults, shownRevision } from '../../refusals/found-faults.js';
import type { Log } from '../../logging/log.js';
import { egressOn, type EgressSettings } from '../outgoing.js';
import type { StorePorts } from '../store.module.js';

export type SqliteOptions = {
  /** A folder, made when it is missing, or `:memory:`. */
  readonly directory: string;
  readonly log: Log;
  readonly clock?: Clock;
  /** Replaced by tests that need one with a fault in it. */
  readonly projections?: readonly Projection[];
  /** Where callers may have requests sent: to the public Internet alone unless told. */
  readonly egress?: EgressSettings;
  /** How long the slow test card takes. */
  readonly slowMilliseconds?: number;
};

const PUBLIC_ONLY: EgressSettings = { egressAllow: 'none' };

type CatchingUp = Pick<CatchUpOptions, 'batch' | 'onProgress' | 'signal'>;

/** The embedded profile's ports, open. */
export type EmbeddedStore = StorePorts & {
  /** Wakes the process that does the work. */
  readonly work: HeardWorkQueue;
  readonly ids: Ids;
  /** The id that each file of the store carries; null in memory. */
  readonly storeId: string | null;
  readonly embedded: Sqlite;
  readonly gateway: SimulatedGateway;
  /** Brings read models that are new, or behind, to the end of the log; answers the position reached. */
  catchUp(options: CatchingUp): Promise<number>;
  /** The streams that were altered, or that a newer version wrote. */
  readonly faults: StreamFaults;
  /** Makes all read models anew beside those in service; one that was stopped half-way goes on instead. */
  rebuild(options: CatchingUp & { readonly acceptAltered: boolean }): Promise<Rebuilt>;
  /** Checks the whole log in the background; what is broken is noted among the faults. */
  checkHistory(signal: AbortSignal): Promise<void>;
  /** Projects again what projections could not take; answers how many streams came free. */
  retryParkedStreams(): Promise<number>;
  close(): Promise<void>;
};

/** Opens everything that lives in one folder; throws when another process holds it or it cannot be used. */
export const openEmbeddedStore = async (options: SqliteOptions): Promise<EmbeddedStore> => {
  const { directory, log, clock = systemClock, projections = allProjections, slowMilliseconds, egress = PUBLIC_ONLY } = options;
  const folder = await openFolder(directory, clock, areKeysOf);
  const { keys, storeId } = folder;
  const ids = createIds(clock);
  const checked = createCodec(DOMAIN_EVENTS, { keys, ids, clock });
  const codec = notingFaults(checked, { note: (fault) => faults.note(fault) });
  const projectors = projections.map((projection) => createProjector(projection));
  const faults: StreamFaults = createFaults(() => embedded, projectors, log);
  const embedded: Sqlite = await openSqlite({ directory, projectors, codec, clock, log, folder });
  const { events } = embedded;
  const documents = guardDocuments(
    embedded.documents,
    { of: (stream) => faults.of(stream), look: async (stream) => faults.of(stream) },
    projections,
  );
  await faults.open();
  const history = { embedded, codec, projectors, faults, clock };
  await withdrawBroken(history, (error) => log.error({ err: error }, 'a broken stream could not be taken out of its read model'));
  await prepareDeliveries(documents);
  // A charge that a killed process was waiting for goes on at once, not when its claim ends.
  await embedded.work.makeDue(GATEWAY_CALLS);
  const fingerprintKey = await keys.serviceKey('card-fingerprint');
  const gateway = await openGateway(embedded, {
    directory,
    clock,
    fingerprintKey,
    ...(slowMilliseconds !== undefined && { slowMilliseconds }),
  });
  const catchUpAll = (how: CatchingUp): Promise<number> =>
    catchUp(events, embedded.building, projectors, {
      codec,
      withdraw: (projector, broken) => embedded.withdraw(projector, broken),
      park: (projector, streams) => embedded.park(projector, streams),
      isParked: (projector, stream) => embedded.isParked(projector, stream),
      ...how,
    });
  return {
    storeId,
    embedded,
    gateway,
    store: events,
    documents,
    keys,
    codec,
    identities: await createIdentities(keys, ids),
    egress: egressOn(clock, egress),
    work: heard(embedded.work),
    clock,
    ids,
    catchUp: (how) => catchUpAll({ batch: CONSIDERATE_BATCH, ...how }),
    faults,
    knowledge: { faults, shownRevision: (stream) => shownRevision(embedded.documents, projectors, stream) },
    rebuild: (how) => rebuildEmbedded({ ...history, codec: checked }, how),
    checkHistory: (signal) => checkEmbedded(history, signal),
    async retryParkedStreams() {
      const standing = (stream: string, revision: number) => stillBroken(faults.of(stream), undefined, [{ revision }]);
      const freed = await embedded.retryParkedStreams(standing);
      for (const { stream } of freed) if (faults.of(stream)) await faults.clear(stream);
      await recheckUnshown({ store: events, codec: checked }, faults, new Set(projectors.map(({ category }) => category)));
      return freed.length;
    },
    async close() {
      await embedded.close();
      gateway.close();
    },
  };
};

/** A ledger that cannot be used refuses the start like the rest of the folder. */
const openGateway = async (embedded: Sqlite, options: SimulatedGatewayOptions): Promise<SimulatedGateway> => {
  try {
    return openSimulatedGateway(options);
  } catch (error) {
    await embedded.close();
    throw new CommandError(`the payment ledger cannot be used: ${reasonOf(error)}`);
  }
};
