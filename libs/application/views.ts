import type { StoredDocument } from '../eventsourcing/documents.port.js';
import type { AppendedEvent } from '../eventsourcing/handle.js';
import { aggregateIdOf, type Message } from '../eventsourcing/message.js';
import type { Document, Projection, ProjectionHandler } from '../eventsourcing/projection.js';
import type { Fields } from '../eventsourcing/documents.port.js';
import { createProjector } from './projector.js';
import type { View } from './request.js';
import { historyPages, type VerifiedLog } from './verified-history.js';

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
 * A resource as its stream says, whether or not its read model has heard of it: the answer to a change; through a
 * revision, how it was then. Null when there is nothing to show. Rejects with BrokenHistory.
 */
export const viewFromLog = async <E extends Message, Body, F extends Fields>(
  log: VerifiedLog,
  projection: Projection<E, Body, F>,
  id: string,
  through = Infinity,
): Promise<View | null> => {
  const projector = createProjector(projection);
  let shown: StoredDocument | null = null;
  for await (const events of historyPages(log, `${projection.category}-${id}`, through)) {
    const before: StoredDocument | null = shown;
    const { writes, parked } = projector.project(
      events,
      () => before,
      () => false,
    );
    for (const write of writes) if (write.kind !== 'increment') shown = write.kind === 'put' ? write.document : null;
    if (parked.length > 0) break;
  }
  return shown && viewOf(shown, projection);
};
