import {
  backupFolder,
  openEmbedded,
  openFolder,
  openStoreKeys,
  readHolder,
  restoreBackup,
  type Embedded,
} from '../../libs/adapters/embedded/index.js';
import { openSimulatedGateway, type SimulatedGateway, type SimulatedGatewayOptions } from '../../libs/adapters/gateway/index.js';
import { createIds, systemClock } from '../../libs/adapters/system/index.js';
import { catchUp, CONSIDERATE_BATCH, type CatchUpOptions } from '../../libs/application/catch-up.js';
import { createCodec } from '../../libs/application/codec.js';
import { prepareDeliveries } from '../../libs/application/deliveries/collections.js';
import { heard, type HeardWorkQueue } from '../../libs/application/deliveries/dispatching.js';
import { createIdentities } from '../../libs/application/identities.js';
import { areKeysOf } from '../../libs/application/key-proof.js';
import { createProjector } from '../../libs/application/projector.js';
import { DOMAIN_EVENTS } from '../../libs/domain/events.js';
import type { Clock } from '../../libs/eventsourcing/clock.port.js';
import { checkpointOf } from '../../libs/eventsourcing/documents.port.js';
import type { Ids } from '../../libs/eventsourcing/ids.port.js';
import type { Projection } from '../../libs/eventsourcing/projection.js';
import { projections as allProjections } from '../../libs/projections/projections.js';
import { CommandError } from './command-error.js';
import type { Log } from './log.js';
import { egressOn, type EgressSettings } from './outgoing.module.js';
import type { StorePorts } from './store.module.js';

export { backupFolder, openStoreKeys, readHolder, restoreBackup, systemClock };

export type EmbeddedOptions = {
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
  /** Whoever does the work hears of it at once. */
  readonly work: HeardWorkQueue;
  readonly ids: Ids;
  /** The id that each file of the store carries; null in memory. */
  readonly storeId: string | null;
  readonly embedded: Embedded;
  readonly gateway: SimulatedGateway;
  /** Brings read models that are new, or behind, to the end of the log; answers the position reached. */
  catchUp(options: CatchingUp): Promise<number>;
  /** Makes all read models anew; one that was stopped half-way goes on instead. Answers the position reached. */
  rebuild(options: CatchingUp): Promise<number>;
  close(): Promise<void>;
};

/** Opens everything that lives in one folder; throws when another process holds it or it cannot be used. */
export const openEmbeddedStore = async (options: EmbeddedOptions): Promise<EmbeddedStore> => {
  const { directory, log, clock = systemClock, projections = allProjections, slowMilliseconds, egress = PUBLIC_ONLY } = options;
  const folder = await openFolder(directory, clock, areKeysOf);
  const { keys, storeId } = folder;
  const ids = createIds(clock);
  const codec = createCodec(DOMAIN_EVENTS, { keys, ids, clock });
  const projectors = projections.map((projection) => createProjector(projection));
  const embedded = await openEmbedded({ directory, projectors, decode: (event) => codec.decode(event), clock, log, folder });
  const { events, documents } = embedded;
  await prepareDeliveries(documents);
  const fingerprintKey = await keys.serviceKey('card-fingerprint');
  const gateway = await openGateway(embedded, {
    directory,
    clock,
    fingerprintKey,
    ...(slowMilliseconds !== undefined && { slowMilliseconds }),
  });
  const catchUpAll = (how: CatchingUp): Promise<number> =>
    catchUp(events, embedded.building, projectors, {
      decode: (event) => codec.decode(event),
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
    async rebuild(how) {
      const positions = await Promise.all(projectors.map(({ collection }) => documents.checkpoint(checkpointOf(collection))));
      // All in one step: a rebuild that was stopped is known by positions behind the head.
      if (positions.every((position) => position === embedded.head()))
        await documents.clear(...projectors.map(({ collection }) => collection));
      return catchUpAll(how);
    },
    async close() {
      await embedded.close();
      gateway.close();
    },
  };
};

/** A ledger that cannot be used refuses the start like the rest of the folder. */
const openGateway = async (embedded: Embedded, options: SimulatedGatewayOptions): Promise<SimulatedGateway> => {
  try {
    return openSimulatedGateway(options);
  } catch (error) {
    await embedded.close();
    throw new CommandError(`the payment ledger cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
};
