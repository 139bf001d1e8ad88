import type { Collection, DocumentWrite, Documents } from '../../eventsourcing/ports/documents.port.js';
import type { TopicEnds, TopicsState } from '../../eventsourcing/ports/publisher.port.js';

/** A collection with one document: the ends of the topics when the relay last stored its position. */
export const PUBLISHED_ENDS: Collection = { name: 'published_ends', version: 1, fields: {}, indexes: [], cells: [] };
const KEY = 'relay';
/** Maximum number of partitions named in a message, which only counts the others. */
const MAX_NAMED = 3;

/** The topics lack published messages. The message says what to do. */
export class TopicsLost extends Error {
  override readonly name = 'TopicsLost';
}

type PublishedRecord = { readonly cluster: string; readonly ends: TopicEnds };

/**
 * Stores the ends of topics to detect topics that were deleted, emptied or replaced. Retention moves the
 * start of a topic, never its end.
 */
export class PublishedEnds {
  private constructor(private recorded: PublishedRecord) {}

  /** Reads the stored ends and compares them with the topics. Rejects with TopicsLost. */
  static async open(documents: Pick<Documents, 'prepare' | 'get'>, topicsNow: () => Promise<TopicsState>): Promise<PublishedEnds> {
    await documents.prepare(PUBLISHED_ENDS);
    const document = await documents.get(PUBLISHED_ENDS, KEY);
    const now = await topicsNow();
    if (!document) return new PublishedEnds({ cluster: now.cluster, ends: {} });
    const recorded = JSON.parse(document.json) as PublishedRecord;
    assertNotLost(recorded, now);
    return new PublishedEnds(recorded);
  }

  /** Records the ends of topics after messages were published. */
  advanceTo(ends: TopicEnds): void {
    const all = { ...this.recorded.ends };
    for (const [partition, end] of Object.entries(ends)) all[partition] = Math.max(all[partition] ?? 0, end);
    this.recorded = { ...this.recorded, ends: all };
  }

  /** Returns the write that stores the ends, in the same transaction as the position. */
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
  const shown = short
    .slice(0, MAX_NAMED)
    .map(([partition, end]) => `${partition} ends at ${now.ends[partition] ?? 0} but was published up to ${end}`);
  const rest = short.length > MAX_NAMED ? `, and ${short.length - MAX_NAMED} more partitions` : '';
  throw new TopicsLost(`topics have lost messages: ${shown.join('; ')}${rest}. ${REMEDY}`);
};
