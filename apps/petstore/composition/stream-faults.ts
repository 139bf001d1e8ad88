import { StreamFaults } from '../../../libs/runtime/projecting/stream-faults.js';
import type { Documents, StoredDocument } from '../../../libs/eventsourcing/ports/documents.port.js';
import type { HistoryFault } from '../../../libs/eventsourcing/history.js';
import { aggregateIdOf, categoryOf } from '../../../libs/eventsourcing/message.js';
import type { Projection } from '../../../libs/eventsourcing/projection.js';
import type { Log } from '../logging/log.js';

type ProjectedCategories = readonly Pick<Projection, 'category' | 'collection'>[];

export type FaultPorts = {
  /** All versions of a read model, as stored. */
  readonly projectionDocuments: Pick<Documents, 'prepare' | 'get' | 'texts' | 'apply'>;
  /** The versions in service. */
  readonly documents: Pick<Documents, 'get'>;
};

/** Creates the registry of broken streams, which logs each new one. The store's ports may open later. */
export const createFaults = (ports: () => FaultPorts, shown: ProjectedCategories, log: Log): StreamFaults =>
  new StreamFaults({
    documents: {
      prepare: (...args) => ports().projectionDocuments.prepare(...args),
      get: (...args) => ports().projectionDocuments.get(...args),
      texts: (...args) => ports().projectionDocuments.texts(...args),
      apply: (...args) => ports().projectionDocuments.apply(...args),
    },
    onFound: logFault(log),
    onError: (error) => log.error({ err: error }, 'a broken stream could not be recorded; it will be retried'),
    async tenantOf(stream) {
      const tenants = (await readDocuments(ports().documents, shown, stream)).map(({ fields }) => fields['tenant']);
      return tenants.find((tenant) => typeof tenant === 'string') ?? null;
    },
  });

/** Returns the highest revision of a stream in its read models, and -1 when none has it. */
export const readShownRevision = async (documents: Pick<Documents, 'get'>, shown: ProjectedCategories, stream: string): Promise<number> =>
  Math.max(-1, ...(await readDocuments(documents, shown, stream)).map(({ revision }) => revision));

/** Reads the documents of a stream, of which each read model of its category may have one. */
const readDocuments = async (
  documents: Pick<Documents, 'get'>,
  shown: ProjectedCategories,
  stream: string,
): Promise<readonly StoredDocument[]> => {
  const ofCategory = shown.filter(({ category }) => category === categoryOf(stream));
  const found = await Promise.all(ofCategory.map(({ collection }) => documents.get(collection, aggregateIdOf(stream))));
  return found.filter((document) => document !== null);
};

const MESSAGES: Readonly<Record<HistoryFault['kind'], string>> = {
  altered: 'a stream was altered after it was written; requests for it are rejected: restore an older backup',
  unreadable: 'a newer version of the software wrote a stream; requests for it are rejected: start that version',
};

const logFault =
  (log: Log) =>
  ({ stream, revision, kind, reason }: HistoryFault): void =>
    log.error({ stream, revision, reason }, MESSAGES[kind]);
