import type { Collection, Documents } from '../../eventsourcing/ports/documents.port.js';

/** A collection with one document: over how many partitions the keys of each topic are spread. */
export const TOPIC_SPREAD: Collection = { name: 'topic_spread', version: 1, fields: {}, indexes: [], cells: [] };
const KEY = 'store';

/** Over how many partitions the keys of each topic are spread, by the topic's name without the namespace. */
export type SpreadPartitions = Readonly<Record<string, number>>;

/**
 * The stored record. A key must stay in its partition, or its messages lose their order. So the number is recorded at the
 * first start and does not follow the brokers: somebody may add partitions there at any time (contract 22.7).
 */
export type TopicSpread = {
  readonly partitions: SpreadPartitions;
  /** The number of partitions that an operator has requested. The relay moves the keys. Null if nothing is requested. */
  readonly requested: number | null;
  /** Why the last request failed. Null if it did not. */
  readonly failure: string | null;
};

/** The documents that store the record. */
export type SpreadDocuments = Pick<Documents, 'prepare' | 'get' | 'apply'>;

type Stored = { readonly spread: TopicSpread; readonly revision: number | 'none' };

const readStored = async (documents: SpreadDocuments): Promise<Stored> => {
  await documents.prepare(TOPIC_SPREAD);
  const document = await documents.get(TOPIC_SPREAD, KEY);
  if (!document) return { spread: { partitions: {}, requested: null, failure: null }, revision: 'none' };
  return { spread: JSON.parse(document.json) as TopicSpread, revision: document.revision };
};

export const readSpread = async (documents: SpreadDocuments): Promise<TopicSpread> => (await readStored(documents)).spread;

/**
 * Changes the record, again if another process changes it at the same time. `change` returns null to change nothing. Returns
 * the record after the change.
 */
export const changeSpread = async (
  documents: SpreadDocuments,
  change: (spread: TopicSpread) => TopicSpread | null,
): Promise<TopicSpread> => {
  for (;;) {
    const { spread, revision } = await readStored(documents);
    const changed = change(spread);
    if (!changed) return spread;
    const document = { key: KEY, json: JSON.stringify(changed), fields: {}, revision: revision === 'none' ? 0 : revision + 1 };
    if (await documents.apply([{ kind: 'put', collection: TOPIC_SPREAD, document, expected: revision }])) return changed;
  }
};

/** Records the partitions of the topics that have no record yet. A recorded number stays, whatever the brokers have. */
export const recordSpread = (documents: SpreadDocuments, found: SpreadPartitions): Promise<TopicSpread> =>
  changeSpread(documents, (spread) => {
    const isRecorded = Object.keys(found).every((topic) => topic in spread.partitions);
    return isRecorded ? null : { ...spread, partitions: { ...found, ...spread.partitions } };
  });
