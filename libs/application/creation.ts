import { rejected, type Rejection } from '../eventsourcing/decider.js';
import type { EventStore } from '../eventsourcing/ports/event-store.port.js';
import type { Fields } from '../eventsourcing/ports/documents.port.js';
import type { AppendedEvent, EventCodec } from '../eventsourcing/handle.js';
import type { Message, RecordedEvent } from '../eventsourcing/message.js';
import type { Projection } from '../eventsourcing/projection.js';
import type { Created } from './request.js';
import { eventAt } from '../runtime/codec/verified-history.js';
import { viewOfFirst } from './views.js';

/** Reads the first event of a stream, or null. */
export const firstEvent = (store: EventStore, codec: EventCodec, stream: string): Promise<RecordedEvent | null> =>
  eventAt({ store, codec }, stream, 0);

/**
 * The answer to a creation, now and whenever it is asked again: the resource as its first event left it. "same key,
 * other body: 422", when it was made by another body.
 */
export const answerFrom = <E extends Message, Body, F extends Fields>(
  projection: Projection<E, Body, F>,
  first: AppendedEvent,
  { bodyDigest, replayed }: { readonly bodyDigest: string | undefined; readonly replayed: boolean },
): Created | Rejection<'idempotency_key_reused'> =>
  first.meta.bodyDigest === bodyDigest ? { ...viewOfFirst(projection, first), replayed } : rejected('idempotency_key_reused');
