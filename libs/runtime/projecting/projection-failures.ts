import type { Collection, Documents, DocumentWrite } from '../../eventsourcing/ports/documents.port.js';
import type { ReadModelFailure } from '../../eventsourcing/ports/read-models.port.js';
import { reasonOf } from '../../eventsourcing/reason.js';

/** Why projections do not go on, by the names of the checkpoints of their versions. The process that projects writes it, and others show it. */
export const PROJECTION_FAILURES: Collection = {
  name: 'projection_failures',
  version: 1,
  fields: { name: 'text' },
  indexes: [],
  cells: [],
};

/** More than there are versions of read models. */
const LIMIT = 1_000;

/** Stores why a projection has failed. Never rejects: if the database fails, nobody can store that. */
export const storeFailure = (documents: FailureDocuments, version: string, error: unknown, at: Date): Promise<void> => {
  const json = JSON.stringify({ error: reasonOf(error), at: at.toISOString() } satisfies ReadModelFailure);
  const document = { key: version, json, fields: { name: version }, revision: 0 };
  return write(documents, { kind: 'put', collection: PROJECTION_FAILURES, document });
};

/** Stores that a projection goes on. Never rejects. */
export const clearFailure = (documents: FailureDocuments, version: string): Promise<void> =>
  write(documents, { kind: 'delete', collection: PROJECTION_FAILURES, key: version });

type FailureDocuments = Pick<Documents, 'prepare' | 'apply'>;

const write = async (documents: FailureDocuments, change: DocumentWrite): Promise<void> => {
  try {
    await documents.prepare(PROJECTION_FAILURES);
    await documents.apply([change]);
  } catch {
    // The next failure is stored, or the next start clears it.
  }
};

/** Reads why projections do not go on, by the names of the checkpoints of their versions. */
export const readFailures = async (documents: Pick<Documents, 'prepare' | 'find'>): Promise<ReadonlyMap<string, ReadModelFailure>> => {
  await documents.prepare(PROJECTION_FAILURES);
  const found = await documents.find(PROJECTION_FAILURES, { where: {}, sort: ['name'], limit: LIMIT, offset: 0 });
  return new Map(found.map(({ key, json }) => [key, JSON.parse(json) as ReadModelFailure]));
};
