import { StreamFaults } from '../../../libs/runtime/projecting/stream-faults.js';
import type { Documents, StoredDocument } from '../../../libs/eventsourcing/ports/documents.port.js';
import type { HistoryFault } from '../../../libs/eventsourcing/history.js';
import { aggregateIdOf, categoryOf } from '../../../libs/eventsourcing/message.js';
import type { Projection } from '../../../libs/eventsourcing/projection.js';
import type { Log } from '../logging/log.js';

type ProjectedCategories = readonly Pick<Projection, 'category' | 'collection'>[];

export type FaultPorts = {
  /** All versions of a read model, as stored. */
  readonly building: Pick<Documents, 'prepare' | 'get' | 'texts' | 'apply'>;
  /** The versions in service. */
  readonly documents: Pick<Documents, 'get'>;
};

/** Creates the registry of broken streams, which logs each new one. The store's ports may open later. */
export const createFaults = (ports: () => FaultPorts, shown: ProjectedCategories, log: Log): StreamFaults =>
  new StreamFaults({
    documents: {
      prepare: (...args) => ports().building.prepare(...args),
      get: (...args) => ports().building.get(...args),
      texts: (...args) => ports().building.texts(...args),
      apply: (...args) => ports().building.apply(...args),
    },
    onFound: logFault(log),
    onError: (error) => log.error({ err: error }, 'a broken stream could not be recorded; it will be retried'),
    async tenantOf(stream) {
      const tenant = (await readDocument(ports().documents, shown, stream))?.fields['tenant'];
      return typeof tenant === 'string' ? tenant : null;
    },
  });

/** Returns the revision of a stream in its read model, and -1 when it has none. */
export const readShownRevision = async (documents: Pick<Documents, 'get'>, shown: ProjectedCategories, stream: string): Promise<number> =>
  (await readDocument(documents, shown, stream))?.revision ?? -1;

const readDocument = async (
  documents: Pick<Documents, 'get'>,
  shown: ProjectedCategories,
  stream: string,
): Promise<StoredDocument | null> => {
  const collection = shown.find(({ category }) => category === categoryOf(stream))?.collection;
  return collection ? documents.get(collection, aggregateIdOf(stream)) : null;
};

const MESSAGES: Readonly<Record<HistoryFault['kind'], string>> = {
  altered: 'a stream was altered after it was written; requests for it are rejected: restore an older backup',
  unreadable: 'a newer version of the software wrote a stream; requests for it are rejected: start that version',
};

const logFault =
  (log: Log) =>
  ({ stream, revision, kind, reason }: HistoryFault): void =>
    log.error({ stream, revision, reason }, MESSAGES[kind]);
