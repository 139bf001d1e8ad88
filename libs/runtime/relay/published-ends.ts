import type { Collection, DocumentWrite, Documents } from '../../eventsourcing/ports/documents.port.js';
import type { TopicEnds, TopicsNow } from '../../eventsourcing/ports/publisher.port.js';

/** One document: how far the topics went when the relay last stored its position. */
export const PUBLISHED_ENDS: Collection = { name: 'published_ends', version: 1, fields: {}, indexes: [], cells: [] };
const KEY = 'relay';
/** Named in a message; the rest is counted. */
const SHOWN = 3;

/** The topics lack what was published to them; the message says what to do. */
export class TopicsLost extends Error {
  override readonly name = 'TopicsLost';
}

type Recorded = { readonly cluster: string; readonly ends: TopicEnds };

/**
 * Remembers where topics ended, so that topics that were deleted, emptied or exchanged are noticed. Retention is no loss:
 * it moves where a topic begins, and the end only grows.
 */
export class PublishedEnds {
  private constructor(private recorded: Recorded) {}

  /** What was recorded; asks for the topics only once there is something to compare. Rejects with TopicsLost. */
  static async open(documents: Pick<Documents, 'prepare' | 'get'>, topicsNow: () => Promise<TopicsNow>): Promise<PublishedEnds> {
    await documents.prepare(PUBLISHED_ENDS);
    const document = await documents.get(PUBLISHED_ENDS, KEY);
    const now = await topicsNow();
    if (!document) return new PublishedEnds({ cluster: now.cluster, ends: {} });
    const recorded = JSON.parse(document.json) as Recorded;
    refuseLost(recorded, now);
    return new PublishedEnds(recorded);
  }

  /** Messages were published, and topics end there now at the least. */
  reach(ends: TopicEnds): void {
    const all = { ...this.recorded.ends };
    for (const [place, end] of Object.entries(ends)) all[place] = Math.max(all[place] ?? 0, end);
    this.recorded = { ...this.recorded, ends: all };
  }

  /** Records it, beside the position. */
  write(): DocumentWrite {
    const document = { key: KEY, json: JSON.stringify(this.recorded), fields: {}, revision: 0 };
    return { kind: 'put', collection: PUBLISHED_ENDS, document };
  }
}

const REMEDY =
  'Set KAFKA_BROKERS to the brokers that hold the topics, or stop the workers and run "petstore topics republish": it publishes the whole log again, under the same ids.';

const refuseLost = (recorded: Recorded, now: TopicsNow): void => {
  if (recorded.cluster !== now.cluster)
    throw new TopicsLost(
      `messages were published to the Kafka cluster ${recorded.cluster}, and KAFKA_BROKERS names ${now.cluster}. ${REMEDY}`,
    );
  const short = Object.entries(recorded.ends).filter(([place, end]) => (now.ends[place] ?? 0) < end);
  if (short.length === 0) return;
  const shown = short.slice(0, SHOWN).map(([place, end]) => `${place} ends at ${now.ends[place] ?? 0}, and was published up to ${end}`);
  const rest = short.length > SHOWN ? `, and ${short.length - SHOWN} more partitions` : '';
  throw new TopicsLost(`topics have lost messages: ${shown.join('; ')}${rest}. ${REMEDY}`);
};
