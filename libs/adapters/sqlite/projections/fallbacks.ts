import type { Collection, DocumentWrite } from '../../../eventsourcing/ports/documents.port.js';
import type { StoredEvent } from '../../../eventsourcing/ports/event-store.port.js';
import { aggregateIdOf, type RecordedEvent } from '../../../eventsourcing/message.js';
import { intoVersion } from '../../../eventsourcing/projecting.js';
import type { Projector } from '../../../eventsourcing/projection.js';
import type { ProjectionDependencies } from './projection-dependencies.js';

const HISTORY =
  'SELECT position, stream, revision, id, type, metadata, data FROM events WHERE stream = ? AND revision < ? ORDER BY revision';

/** A stream, and its events that the open or recorded transaction appends. */
export type ChangedStream = { readonly stream: string; readonly appended: readonly StoredEvent[] };

/**
 * Updates a document in the old version of a read model. Queries read that version until the new version is complete. The
 * software no longer has the old projection, so the new projection computes the document from all events of the stream. If
 * the old and the new version declare the same cells (their counters), the cells are updated, too. The old projection cannot
 * continue from such a document. So this function marks the old version as invalid. If an older release of the software is
 * started again, it rebuilds an invalid version before it uses that version.
 */
export const writeFallback = (
  dependencies: ProjectionDependencies,
  projector: Projector,
  fallback: Collection,
  { stream, appended }: ChangedStream,
): void => {
  const { database, tables, codec, checkpoints } = dependencies;
  const existing = tables.get(fallback, aggregateIdOf(stream));
  let previousHash = '';
  const earlier = database.statement(HISTORY).all(stream, appended[0]?.revision ?? 0) as unknown as StoredEvent[];
  const history = [...earlier, ...appended].map((event) => {
    previousHash = codec.verify(event, previousHash);
    return codec.decode(event);
  });
  // The cells lose what the events up to the stored document count, and gain what all events count, both by the new handlers.
  const before = existing ? projectFromStart(projector, history.slice(0, existing.revision + 1)) : [];
  const after = projectFromStart(projector, history);
  const hasDocument = after.some(({ kind }) => kind === 'put');
  const updatesCells = haveSameCells(projector.collection, fallback);
  tables.write([
    ...after.filter(({ kind }) => kind === 'put').map((write) => ({ ...write, collection: fallback })),
    ...(hasDocument ? [] : [{ kind: 'delete', collection: fallback, key: aggregateIdOf(stream) } as const]),
    ...(updatesCells ? [...cellsOf(before, fallback, -1), ...cellsOf(after, fallback, 1)] : []),
  ]);
  checkpoints.invalidate(fallback);
};

/** Removes the documents of broken streams from the old version of a read model, within the open or recorded transaction. */
export const removeFromFallback = (
  { tables, checkpoints }: ProjectionDependencies,
  projector: Projector,
  fallback: Collection,
  broken: readonly string[],
): void => {
  const existing = broken.flatMap((stream) => tables.get(fallback, aggregateIdOf(stream)) ?? []);
  if (existing.length === 0) return;
  const writes = existing.flatMap((document) => intoVersion(projector, fallback).removalWrites(document));
  tables.write(haveSameCells(projector.collection, fallback) ? writes : writes.filter(({ kind }) => kind === 'delete'));
  checkpoints.invalidate(fallback);
};

/** Projects a stream from its first event, and returns the writes. Throws if the projection fails on an event. */
const projectFromStart = (projector: Projector, events: readonly RecordedEvent[]): readonly DocumentWrite[] => {
  const { writes, parked } = projector.project(
    events,
    () => null,
    () => false,
  );
  if (parked[0]) throw new Error(parked[0].reason);
  return writes;
};

const cellsOf = (writes: readonly DocumentWrite[], collection: Collection, sign: 1 | -1): readonly DocumentWrite[] =>
  writes.flatMap((write) => (write.kind === 'increment' ? [{ ...write, collection, by: sign * write.by }] : []));

const haveSameCells = (one: Collection, other: Collection): boolean => one.cells.join() === other.cells.join();
