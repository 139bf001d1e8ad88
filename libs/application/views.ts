import type { StoredDocument } from '../eventsourcing/ports/documents.port.js';
import type { AppendedEvent } from '../eventsourcing/handle.js';
import { aggregateIdOf, type Message } from '../eventsourcing/message.js';
import type { Document, Projection, ProjectionHandler } from '../eventsourcing/projection.js';
import type { Fields } from '../eventsourcing/ports/documents.port.js';
import { readDocumentFromLog } from '../runtime/projecting/document-from-log.js';
import type { View } from './request.js';
import type { VerifiedLog } from '../runtime/codec/verified-history.js';

/**
 * Returns the entity tag of a resource: the revision in its read model, and the version of that projection.
 */
export const etagOf = (revision: number, { version }: { readonly version: number }): string => `${revision}.${version}`;

/** Returns the view of a stored document. */
export const viewOf = ({ key, json, fields, revision }: StoredDocument, projection: { readonly version: number }): View => ({
  id: key,
  json,
  etag: etagOf(revision, projection),
  fields,
});

/**
 * Returns the view of a resource after its first event, without reading the read model. It is the result of a
 * creation.
 */
export const viewOfFirst = <E extends Message, Body, F extends Fields>(projection: Projection<E, Body, F>, first: AppendedEvent): View => {
  const handlers = projection.on as unknown as Readonly<Record<string, ProjectionHandler<Message, Document<Body, F>>>>;
  const document = handlers[first.type]?.(null, first.data, first.meta);
  if (!document) throw new Error(`the projection ${projection.name} has no document after ${first.type}`);
  return {
    id: aggregateIdOf(first.meta.stream),
    json: JSON.stringify(document.body),
    etag: etagOf(first.meta.revision, projection),
    fields: document.fields,
  };
};

/**
 * Returns the view of a resource from its stream, because its read model may not have caught up. It is the
 * result of a change. Null if there is no document. Rejects with BrokenHistory.
 */
export const viewFromLog = async <E extends Message, Body, F extends Fields>(
  log: VerifiedLog,
  projection: Projection<E, Body, F>,
  id: string,
): Promise<View | null> => {
  const document = await readDocumentFromLog(log, projection, id);
  return document && viewOf(document, projection);
};
