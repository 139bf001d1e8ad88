import { rejected, type Rejection } from '../eventsourcing/decider.js';
import type { EventStore } from '../eventsourcing/event-store.port.js';
import type { EventCodec } from '../eventsourcing/handle.js';
import type { RecordedEvent } from '../eventsourcing/message.js';

/** Reads the first event of a stream, or null. */
export const firstEvent = async (store: EventStore, codec: EventCodec, stream: string): Promise<RecordedEvent | null> => {
  const [stored] = await store.readStream(stream, 0, 1);
  return stored ? codec.decode(stored) : null;
};

/** "same key, other body: 422": whether the resource that a key made was made by this very body. */
export const sameBody = (first: RecordedEvent, bodyDigest: string | undefined): true | Rejection<'idempotency_key_reused'> =>
  first.meta.bodyDigest === bodyDigest || rejected('idempotency_key_reused');
