import { copyLedger } from '../../../../libs/adapters/gateway/index.js';
import { copyCredentials } from '../../../../libs/application/users/credentials.js';
import { systemClock } from '../../../../libs/adapters/system/index.js';
import { copyDeliveries } from '../../../../libs/deliveries/copy-deliveries.js';
import type { Documents } from '../../../../libs/eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import type { KeyCopy } from '../../../../libs/eventsourcing/ports/key-vault.port.js';
import { copyLog } from '../../../../libs/runtime/codec/copy-log.js';
import { copyStoreId } from '../../../../libs/runtime/codec/store-identity.js';
import type { Log } from '../../logging/log.js';
import { openLedger, openDatabase, openEvents, openStoreRecords, type DistributedSettings } from './open-servers.js';

/**
 * Copies an embedded store to the servers. The store id is copied first, which fails if the servers contain another
 * store. The keys are copied before the log, whose events cannot be decrypted without them.
 */
export const copyToServers = async (settings: DistributedSettings, from: CopySource, log: Log): Promise<void> => {
  const mongo = await openDatabase(settings, log);
  try {
    const store = await openEvents(settings, log);
    try {
      await copyStoreId({ log: store, records: openStoreRecords(mongo) }, from.storeId);
      for (const key of from.keys) await mongo.keys.importKey(key);
      await copyLedger(from.directory, openLedger(mongo));
      await copyCredentials(from.documents, mongo.documents);
      await copyDeliveries(from.documents, { documents: mongo.documents, work: mongo.work, clock: systemClock });
      await copyLog(from.events, store, from.onProgress);
    } finally {
      await store.close();
    }
  } finally {
    await mongo.close();
  }
};

/** The store to copy. */
type CopySource = {
  readonly storeId: string;
  readonly directory: string;
  readonly events: EventStore;
  readonly documents: Documents;
  readonly keys: readonly KeyCopy[];
  /** Called with the position up to which the log is copied. */
  readonly onProgress: (position: number) => void;
};
