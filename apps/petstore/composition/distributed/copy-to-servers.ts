import { FileBlobs } from '../../../../libs/adapters/files/index.js';
import { copyLedger } from '../../../../libs/adapters/sqlite/index.js';
import { systemClock } from '../../../../libs/adapters/system/index.js';
import { copyKeptDocuments } from '../../../../libs/application/state/kept-documents.js';
import type { Documents } from '../../../../libs/eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import type { KeyCopy } from '../../../../libs/eventsourcing/ports/key-vault.port.js';
import { copyLog } from '../../../../libs/runtime/codec/copy-log.js';
import { copyStoreId } from '../../../../libs/runtime/codec/store-identity.js';
import type { Log } from '../../logging/log.js';
import { copyImages, damageWarning } from '../images/copy-images.js';
import { openLedger, openDatabase, openEvents, openStoreRecords, type DistributedSettings } from './open-servers.js';

/**
 * Copies an embedded store to the servers. Copies the store id first, and rejects with StoreMismatch if the servers contain
 * another store. Copies the log last: its events need the keys, and name the images.
 */
export const copyToServers = async (settings: DistributedSettings, from: CopySource, log: Log): Promise<void> => {
  const mongo = await openDatabase(settings, log);
  try {
    const store = await openEvents(settings, log);
    try {
      await copyStoreId({ log: store, records: openStoreRecords(mongo) }, from.storeId);
      for (const key of from.keys) await mongo.keys.importKey(key);
      const warning = damageWarning(await copyImages(new FileBlobs(from.directory), mongo.blobs));
      if (warning) log.warn({}, warning);
      await copyLedger(from.directory, openLedger(mongo));
      await copyKeptDocuments(from.documents, { documents: mongo.documents, work: mongo.work, clock: systemClock });
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
