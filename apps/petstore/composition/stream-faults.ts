import { StreamFaults } from '../../../libs/runtime/projecting/stream-faults.js';
import type { Documents, StoredDocument } from '../../../libs/eventsourcing/ports/documents.port.js';
import type { HistoryFault } from '../../../libs/eventsourcing/history.js';
import { aggregateIdOf, categoryOf } from '../../../libs/eventsourcing/message.js';
import type { Projection } from '../../../libs/eventsourcing/projection.js';
import type { Log } from '../logging/log.js';

type ProjectedCategories = readonly Pick<Projection, 'category' | 'collection'>[];

export type FaultPorts = {
  /** Every version of a read model as it is. */
  readonly building: Pick<Documents, 'prepare' | 'get' | 'texts' | 'apply'>;
  /** What is shown. */
  readonly documents: Pick<Documents, 'get'>;
};

/** The broken streams of a store, whose ports may be opened later; what is found is said in the log. */
export const createFaults = (ports: () => FaultPorts, shown: ProjectedCategories, log: Log): StreamFaults =>
  new StreamFaults({
    documents: {
      prepare: (...asked) => ports().building.prepare(...asked),
      get: (...asked) => ports().building.get(...asked),
      texts: (...asked) => ports().building.texts(...asked),
      apply: (...asked) => ports().building.apply(...asked),
    },
    onFound: logFault(log),
    onError: (error) => log.error({ err: error }, 'a broken stream could not be recorded; it will be tried again'),
    async tenantOf(stream) {
      const tenant = (await readDocument(ports().documents, shown, stream))?.fields['tenant'];
      return typeof tenant === 'string' ? tenant : null;
    },
  });

/** The revision that a read model shows of a stream, -1 when it shows none. */
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
  altered: 'a stream was altered after it was written; it is neither shown nor changed: restore a backup that was made before',
  unreadable: 'a newer version of the software wrote a stream; it is neither shown nor changed: start that version',
};

const logFault =
  (log: Log) =>
  ({ stream, revision, kind, reason }: HistoryFault): void =>
    log.error({ stream, revision, reason }, MESSAGES[kind]);
