import type { Collection, DocumentWrite, Fields, Scalar, StoredDocument } from './ports/documents.port.js';
import type { EventMeta, Message, RecordedEvent } from './message.js';

/** A document during projection: the body to send, and the fields to filter by. */
export type Document<Body, F extends Fields = Fields> = { readonly body: Body; readonly fields: F };

/** Applies an event to a document. Null means that there is no document. */
export type ProjectionHandler<Event extends Message, Doc> = (current: Doc | null, data: Event['data'], meta: EventMeta) => Doc | null;

/** A handler or 'ignore' for every event of the aggregate. An event with neither is a compile error. */
export type ProjectionHandlers<Event extends Message, Doc> = {
  readonly [T in Event['type']]: ProjectionHandler<Extract<Event, { type: T }>, Doc> | 'ignore';
};

/** The part of a projection that folds the events of a stream to a document. */
export type DocumentFold = { readonly name: string; readonly on: object };

/** Leaves the document as it is. */
const keep: ProjectionHandler<Message, Document<unknown>> = (current) => current;

/** Returns whether a read model or consumer leaves an event out, because an operator has it skipped. */
export const isSkippedBy = (name: string, { meta }: { readonly meta: Pick<EventMeta, 'skippedBy'> }): boolean =>
  meta.skippedBy?.includes(name) ?? false;

/**
 * Returns the handler of an event. That of a skipped event changes nothing, and the event raises the document's revision all the same.
 * Throws if the projection does not know the type.
 */
export const handlerOf = (
  { name, on }: DocumentFold,
  event: { readonly type: string; readonly meta: Pick<EventMeta, 'skippedBy'> },
): ProjectionHandler<Message, Document<unknown>> | 'ignore' => {
  if (isSkippedBy(name, event)) return keep;
  const { type } = event;
  const handler = (on as Readonly<Record<string, ProjectionHandler<Message, Document<unknown>> | 'ignore'>>)[type];
  if (!handler) throw new Error(`projection ${name} does not know ${type}`);
  return handler;
};

/**
 * A read model. It folds each stream of one category into one document, whose key is the aggregate's id.
 * Handlers are pure. Every event that is not ignored raises the document's revision.
 */
export type Projection<Event extends Message = Message, Body = unknown, F extends Fields = Fields> = {
  readonly name: string;
  /** Raised when a handler or the shape changes. The new version is built beside the old version and then replaces it. */
  readonly version: number;
  /** The category of the streams: `pet` for `pet-<id>`. */
  readonly category: string;
  readonly collection: Collection;
  /** Returns how much a document adds to its cell, which is a counter: 1, or a quantity. */
  readonly amount: (body: Body) => number;
  readonly on: ProjectionHandlers<Event, Document<Body, F>>;
};

/**
 * Declares a projection and its collection. The collection has the same version, and the same name in lower_snake_case. Pass the
 * type arguments explicitly.
 */
export const projection = <Event extends Message, Body, F extends Fields>(
  declared: Omit<Projection<Event, Body, F>, 'collection'> & Omit<Collection, 'name' | 'version'>,
): Projection<Event, Body, F> => {
  const { fields, indexes, facets, cells, ...rest } = declared;
  const collection = { name: rest.name.replaceAll('-', '_'), version: rest.version, fields, indexes, ...(facets && { facets }), cells };
  return { ...rest, collection };
};

/**
 * A stream with an event that a projection could not apply. That event and later events of the stream wait until the fault
 * is fixed.
 */
export type ParkedStream = { readonly stream: string; readonly revision: number; readonly position: number; readonly reason: string };

/** The result of projecting some events: the writes, and the streams to park. */
export type ProjectionResult = { readonly writes: readonly DocumentWrite[]; readonly parked: readonly ParkedStream[] };

/**
 * A projection that is ready to run. `project` is pure and synchronous. It takes events in log order, loads their current
 * documents, and returns the writes. It skips the streams for which `isParked` is true. The same function runs in appends,
 * in subscriptions and in rebuilds.
 */
export type Projector = {
  readonly name: string;
  readonly version: number;
  readonly category: string;
  readonly collection: Collection;
  readonly project: (
    events: readonly RecordedEvent[],
    load: (key: string) => StoredDocument | null,
    isParked: (stream: string) => boolean,
  ) => ProjectionResult;
  /** Returns the writes that remove a document of a broken stream from the read model and from its cell. */
  readonly removalWrites: (document: StoredDocument) => readonly DocumentWrite[];
};

/** Returns the values that identify a document's cell, in the order of `collection.cells`. */
export const cellOf = (collection: Collection, fields: Fields): readonly Scalar[] => collection.cells.map((name) => fields[name] ?? null);
