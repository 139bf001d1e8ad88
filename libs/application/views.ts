import type { StoredDocument } from '../eventsourcing/ports/documents.port.js';
import type { AppendedEvent } from '../eventsourcing/handle.js';
import { aggregateIdOf, type Message } from '../eventsourcing/message.js';
import type { Document, Projection, ProjectionHandler } from '../eventsourcing/projection.js';
import type { Fields } from '../eventsourcing/ports/documents.port.js';
import { documentFromLog } from '../runtime/projecting/document-from-log.js';
import type { View } from './request.js';
import type { VerifiedLog } from '../runtime/codec/verified-history.js';

/** Every resource's entity tag: the revision its read model shows, and the version of the projection that shows it. */
export const etagOf = (revision: number, { version }: { readonly version: number }): string => `${revision}.${version}`;

/** A stored document as it goes out. */
export const viewOf = ({ key, json, fields, revision }: StoredDocument, projection: { readonly version: number }): View => ({
  id: key,
  json,
  etag: etagOf(revision, projection),
  fields,
});

/**
 * What a projection shows of a stream after its first event, without asking the read model: the answer to a creation,
 * now and whenever it is asked again.
 */
export const viewOfFirst = <E extends Message, Body, F extends Fields>(projection: Projection<E, Body, F>, first: AppendedEvent): View => {
  const handlers = projection.on as unknown as Readonly<Record<string, ProjectionHandler<Message, Document<Body, F>>>>;
  const document = handlers[first.type]?.(null, first.data, first.meta);
  if (!document) throw new Error(`${projection.name} shows nothing after ${first.type}`);
  return {
    id: aggregateIdOf(first.meta.stream),
    json: JSON.stringify(document.body),
    etag: etagOf(first.meta.revision, projection),
    fields: document.fields,
  };
};

/**
 * A resource as its stream says, whether or not its read model has heard of it: the answer to a change. Null when there is
 * nothing to show. Rejects with BrokenHistory.
 */
export const viewFromLog = async <E extends Message, Body, F extends Fields>(
  log: VerifiedLog,
  projection: Projection<E, Body, F>,
  id: string,
): Promise<View | null> => {
  const document = await documentFromLog(log, projection, id);
  return document && viewOf(document, projection);
};
