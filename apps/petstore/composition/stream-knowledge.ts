import type { OperatorDecisions } from '../../../libs/runtime/operating/operator-state.js';
import { StreamFaults } from '../../../libs/runtime/projecting/stream-faults.js';
import { storedSnapshots } from '../../../libs/runtime/codec/stored-snapshots.js';
import type { Documents, StoredDocument } from '../../../libs/eventsourcing/ports/documents.port.js';
import type { KeyVault } from '../../../libs/eventsourcing/ports/key-vault.port.js';
import type { StreamKnowledge } from '../../../libs/eventsourcing/streams/stream-knowledge.js';
import type { HistoryFault } from '../../../libs/eventsourcing/history.js';
import { aggregateIdOf, categoryOf } from '../../../libs/eventsourcing/message.js';
import type { Projection } from '../../../libs/eventsourcing/projection.js';
import type { Log } from '../logging/log.js';

type ProjectedCategories = readonly Pick<Projection, 'category' | 'collection'>[];

/** The read models that the registry of broken streams reads and writes. */
export type FaultPorts = {
  /** Stores the broken streams. Reads and writes exactly the version of the collection that the caller passes. */
  readonly projectionDocuments: Pick<Documents, 'prepare' | 'get' | 'texts' | 'apply'>;
  /** Reads the documents of a stream, from the versions of the read models that queries use. */
  readonly documents: Pick<Documents, 'get'>;
};

/**
 * Creates the registry of broken streams. It logs each broken stream that this process finds. `ports` is a function, because
 * the ports are opened after the registry.
 */
export const createFaults = (ports: () => FaultPorts, projections: ProjectedCategories, log: Log): StreamFaults =>
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
      const tenants = (await readDocuments(ports().documents, projections, stream)).map(({ fields }) => fields['tenant']);
      return tenants.find((tenant) => typeof tenant === 'string') ?? null;
    },
  });

/** Creates what a process knows about streams in addition to the log: their faults, their read models and their snapshots. */
export const createKnowledge = async (
  { documents, keys }: { readonly documents: Pick<Documents, 'prepare' | 'get' | 'apply'>; readonly keys: Pick<KeyVault, 'serviceKey'> },
  projections: ProjectedCategories,
  faults: StreamFaults,
  decisions: Pick<OperatorDecisions, 'isRefolded'>,
): Promise<StreamKnowledge> => ({
  faults,
  readModelRevision: async (stream) =>
    Math.max(-1, ...(await readDocuments(documents, projections, stream)).map(({ revision }) => revision)),
  snapshots: storedSnapshots(documents, await keys.serviceKey('snapshots')),
  isRefolded: (projection, stream) => decisions.isRefolded(projection, stream),
});

/** Returns the documents of a stream: at most one from each read model of the stream's category. */
const readDocuments = async (
  documents: Pick<Documents, 'get'>,
  projections: ProjectedCategories,
  stream: string,
): Promise<readonly StoredDocument[]> => {
  const ofCategory = projections.filter(({ category }) => category === categoryOf(stream));
  const found = await Promise.all(ofCategory.map(({ collection }) => documents.get(collection, aggregateIdOf(stream))));
  return found.filter((document) => document !== null);
};

const MESSAGES: Readonly<Record<HistoryFault['kind'], string>> = {
  altered: 'a stream was altered after it was written; requests for it are rejected: restore an older backup',
  unreadable: 'a newer version of the software wrote a stream; requests for it are rejected: start the newer version',
};

const logFault =
  (log: Log) =>
  ({ stream, revision, kind, reason }: HistoryFault): void =>
    log.error({ stream, revision, reason }, MESSAGES[kind]);
