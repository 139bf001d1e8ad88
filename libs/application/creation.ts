import { rejected, type Rejection } from '../eventsourcing/decider.js';
import type { EventStore } from '../eventsourcing/ports/event-store.port.js';
import type { AppendedEvent, EventCodec } from '../eventsourcing/event-codec.js';
import type { RecordedEvent } from '../eventsourcing/message.js';
import type { DocumentFold } from '../eventsourcing/projection.js';
import type { CreationResult } from './request.js';
import { readEvent } from '../runtime/codec/verified-history.js';
import { viewOfFirst } from './views.js';

/** Returns the first event of a stream, or null if the stream is empty. */
export const readFirstEvent = (store: EventStore, codec: EventCodec, stream: string): Promise<RecordedEvent | null> =>
  readEvent({ store, codec }, stream, 0);

/**
 * Returns the result of a creation: the resource after its first event, even if the resource has changed since then.
 * Returns the rejection `idempotency_key_reused` if `bodyDigest`, the digest of this request's body, differs from that of the
 * request that caused `first` (contract 9.3).
 */
export const createdView = (
  projection: DocumentFold & { readonly version: number },
  first: AppendedEvent,
  { bodyDigest, replayed }: { readonly bodyDigest: string | undefined; readonly replayed: boolean },
): CreationResult | Rejection<'idempotency_key_reused'> =>
  first.meta.bodyDigest === bodyDigest ? { ...viewOfFirst(projection, first), replayed } : rejected('idempotency_key_reused');
