import type { DocumentWrite, Fields, Scalar, StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import { aggregateIdOf, categoryOf, type Message, type RecordedEvent } from '../../eventsourcing/message.js';
import { cellOf, handlerOf, type Document, type ParkedStream, type Projection, type Projector } from '../../eventsourcing/projection.js';
import { reasonOf } from '../../eventsourcing/reason.js';

/** A document during projection: the stored document, and the result of the events so far. */
type Draft = {
  readonly key: string;
  readonly stored: StoredDocument | null;
  readonly before: Document<unknown> | null;
  after: Document<unknown> | null;
  revision: number;
};

/**
 * Creates the projector of a projection, which converts events to writes of documents. If a handler throws, the projector
 * parks the stream: the effects of earlier events are kept, and the failed event and all later events wait. An event is skipped
 * if the document already contains its revision.
 */
export const createProjector = <E extends Message, Body, F extends Fields>(declared: Projection<E, Body, F>): Projector => {
  const projection = declared as unknown as Projection;
  const { name, version, category, collection } = projection;
  return {
    name,
    version,
    category,
    collection,
    project(events, load, isParked) {
      const drafts = new Map<string, Draft>();
      const parked = new Map<string, ParkedStream>();
      for (const event of events) {
        const { stream, revision } = event.meta;
        if (categoryOf(stream) !== category || parked.has(stream) || isParked(stream)) continue;
        const key = aggregateIdOf(stream);
        let draft = drafts.get(key);
        if (!draft) drafts.set(key, (draft = draftOf(load(key), key)));
        try {
          fold(projection, draft, event);
        } catch (error) {
          parked.set(stream, { stream, revision, position: event.position, reason: reasonOf(error) });
        }
      }
      return { writes: writesOf(projection, drafts.values()), parked: [...parked.values()] };
    },
    removalWrites(stored) {
      const { before } = draftOf(stored, stored.key);
      return [{ kind: 'delete', collection, key: stored.key }, ...cellWrites(projection, [[before, -1]])];
    },
  };
};

const draftOf = (stored: StoredDocument | null, key: string): Draft => {
  const before = stored && { body: JSON.parse(stored.json) as unknown, fields: stored.fields };
  return { key, stored, before, after: before, revision: stored?.revision ?? -1 };
};

const fold = (projection: Projection, draft: Draft, event: RecordedEvent): void => {
  const handler = handlerOf(projection, event);
  if (handler === 'ignore' || event.meta.revision <= draft.revision) return;
  draft.after = handler(draft.after, event.data, event.meta);
  draft.revision = event.meta.revision;
};

const writesOf = (projection: Projection, drafts: Iterable<Draft>): DocumentWrite[] => {
  const writes: DocumentWrite[] = [];
  const counted: CountChange[] = [];
  const { collection } = projection;
  for (const { key, stored, before, after, revision } of drafts) {
    // Nothing is written if no event changed the stored document, or if there was no document and there is none now.
    if (stored ? revision === stored.revision : !after) continue;
    counted.push([before, -1], [after, 1]);
    if (after)
      writes.push({ kind: 'put', collection, document: { key, json: JSON.stringify(after.body), fields: after.fields, revision } });
    else writes.push({ kind: 'delete', collection, key });
  }
  return [...writes, ...cellWrites(projection, counted)];
};

/** A document to add to its cell (1) or to subtract from its cell (-1). A cell is a counter in the read model. */
type CountChange = readonly [document: Document<unknown> | null, sign: 1 | -1];

const cellWrites = ({ collection, amount }: Projection, counted: readonly CountChange[]): readonly DocumentWrite[] => {
  if (collection.cells.length === 0) return [];
  const cells = new Map<string, { cell: readonly Scalar[]; by: number }>();
  for (const [document, sign] of counted) {
    if (!document) continue;
    const cell = cellOf(collection, document.fields);
    const id = JSON.stringify(cell);
    const existing = cells.get(id);
    if (existing) existing.by += sign * amount(document.body);
    else cells.set(id, { cell, by: sign * amount(document.body) });
  }
  return [...cells.values()].flatMap(({ cell, by }) => (by === 0 ? [] : [{ kind: 'increment', collection, cell, by } as const]));
};
