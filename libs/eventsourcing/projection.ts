import type { Collection, DocumentWrite, Fields, Scalar, StoredDocument } from './ports/documents.port.js';
import type { EventMeta, Message, RecordedEvent } from './message.js';

/** A document while it is worked on: the body that goes out, and the fields it is found by. */
export type Document<Body, F extends Fields = Fields> = { readonly body: Body; readonly fields: F };

/** What an event makes of a document; null before the first one and when there is none any more. */
export type ProjectionHandler<Event extends Message, Doc> = (current: Doc | null, data: Event['data'], meta: EventMeta) => Doc | null;

/** One handler for EVERY event of the aggregate, or 'ignore' said aloud: a new event does not compile until it is dealt with. */
export type ProjectionHandlers<Event extends Message, Doc> = {
  readonly [T in Event['type']]: ProjectionHandler<Extract<Event, { type: T }>, Doc> | 'ignore';
};

/**
 * One read model: folds each stream of one category into one document, whose key is the aggregate's id. Handlers are
 * pure; null means that there is no document. Every event that is not ignored moves the document's revision.
 */
export type Projection<Event extends Message = Message, Body = unknown, F extends Fields = Fields> = {
  readonly name: string;
  /** Raised when a handler or the shape changes: the new version is built beside the old one, then takes its place. */
  readonly version: number;
  /** The streams it reads: `pet` for `pet-<id>`. */
  readonly category: string;
  readonly collection: Collection;
  /** How much this document adds to its cell: 1, or a quantity. */
  readonly amount: (body: Body) => number;
  readonly on: ProjectionHandlers<Event, Document<Body, F>>;
};

/** Declares a projection; its collection takes its name and version. Give the type arguments explicitly. */
export const projection = <Event extends Message, Body, F extends Fields>(
  declared: Omit<Projection<Event, Body, F>, 'collection'> & Omit<Collection, 'name' | 'version'>,
): Projection<Event, Body, F> => {
  const { fields, indexes, cells, ...rest } = declared;
  return { ...rest, collection: { name: rest.name.replaceAll('-', '_'), version: rest.version, fields, indexes, cells } };
};

/** A stream whose event a projection could not take: it and what follows in its stream wait until the fault is mended. */
export type ParkedStream = { readonly stream: string; readonly revision: number; readonly position: number; readonly reason: string };

/** What a run over some events comes to: the writes, and the streams that could not go on. */
export type ProjectionRun = { readonly writes: readonly DocumentWrite[]; readonly parked: readonly ParkedStream[] };

/**
 * A projection made ready to run: a pure, synchronous function from events (in log order) and the documents they build
 * on to writes. `isParked` streams are passed over. The same function runs inside an append, behind a subscription and
 * in a rebuild.
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
  ) => ProjectionRun;
  /** Takes a document of a broken stream out of the read model, and off its cell. */
  readonly withdraw: (document: StoredDocument) => readonly DocumentWrite[];
};

/** The values of a document's cell, in the collection's order. */
export const cellOf = (collection: Collection, fields: Fields): readonly Scalar[] => collection.cells.map((name) => fields[name] ?? null);
