import type { Collection, DocumentWrite, Documents } from '../../eventsourcing/ports/documents.port.js';
import type { TopicEnds, TopicsState } from '../../eventsourcing/ports/publisher.port.js';

/**
 * A collection with one document: the ends of the topics when the relay last stored its position. The end of a partition is the
 * offset of its next message.
 */
export const PUBLISHED_ENDS: Collection = { name: 'published_ends', version: 1, fields: {}, indexes: [], cells: [] };
const KEY = 'relay';
/** Maximum number of partitions that an error message names. Further partitions are only counted. */
const MAX_NAMED = 3;

/** Published messages are missing from the topics. The error's message says what to do. */
export class TopicsLost extends Error {
  override readonly name = 'TopicsLost';
}

type PublishedRecord = { readonly cluster: string; readonly ends: TopicEnds };

/**
 * Stores the ends of the topics, to detect lost messages: a topic that was deleted, emptied or replaced ends earlier than
 * before. Retention is no such loss, because it never moves the end of a topic.
 */
export class PublishedEnds {
  private constructor(private recorded: PublishedRecord) {}

  /** Reads the stored ends. Rejects with TopicsLost if the cluster is another one, or if a partition now ends earlier. */
  static async open(documents: Pick<Documents, 'prepare' | 'get'>, topicsNow: () => Promise<TopicsState>): Promise<PublishedEnds> {
    await documents.prepare(PUBLISHED_ENDS);
    const document = await documents.get(PUBLISHED_ENDS, KEY);
    const now = await topicsNow();
    if (!document) return new PublishedEnds({ cluster: now.cluster, ends: {} });
    const recorded = JSON.parse(document.json) as PublishedRecord;
    assertNotLost(recorded, now);
    return new PublishedEnds(recorded);
  }

  /** Updates the ends of topics, in memory only, after messages were published. */
  advanceTo(ends: TopicEnds): void {
    const all = { ...this.recorded.ends };
    for (const [partition, end] of Object.entries(ends)) all[partition] = Math.max(all[partition] ?? 0, end);
    this.recorded = { ...this.recorded, ends: all };
  }

  /** Returns the write that stores the ends. Apply it in the transaction that stores the position. */
  write(): DocumentWrite {
    const document = { key: KEY, json: JSON.stringify(this.recorded), fields: {}, revision: 0 };
    return { kind: 'put', collection: PUBLISHED_ENDS, document };
  }
}

const REMEDY =
  'Set KAFKA_BROKERS to the brokers that hold the topics, or stop the workers and run "petstore topics republish": it publishes the whole log again, under the same ids.';

const assertNotLost = (recorded: PublishedRecord, now: TopicsState): void => {
  if (recorded.cluster !== now.cluster)
    throw new TopicsLost(
      `messages were published to the Kafka cluster ${recorded.cluster}, but KAFKA_BROKERS leads to ${now.cluster}. ${REMEDY}`,
    );
  const short = Object.entries(recorded.ends).filter(([partition, end]) => (now.ends[partition] ?? 0) < end);
  if (short.length === 0) return;
  const listed = short
    .slice(0, MAX_NAMED)
    .map(([partition, end]) => `${partition} ends at ${now.ends[partition] ?? 0} but was published up to ${end}`);
  const rest = short.length > MAX_NAMED ? `, and ${short.length - MAX_NAMED} more partitions` : '';
  throw new TopicsLost(`topics have lost messages: ${listed.join('; ')}${rest}. ${REMEDY}`);
};
