// Finds streams whose last events were deleted. The hash chain of such a stream is whole, so the log alone does not show it
// (contract 23.5): a read model does, which contains later events.
import { BrokenHistory } from '../history.js';
import type { EventStore } from '../ports/event-store.port.js';
import { revisionNumber, type LoadedStream, type TenantScoped } from './aggregate.js';
import { recordFault, type Folder } from './stream-folder.js';
import type { StreamKnowledge, Writers } from './stream-knowledge.js';

type Ports = {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly writers: Writers;
  readonly knowledge: Pick<StreamKnowledge, 'faults' | 'readModelRevision'>;
};

/**
 * Returns a folder that rejects a truncated stream with BrokenHistory. If many processes write, checks only streams without
 * events: a query of the database for every stream would slow the commands down.
 */
export const checkTruncation = (inner: Folder, ports: Ports): Folder => ({
  fold: (aggregate, loaded, events) => inner.fold(aggregate, loaded, events),
  foldRest: (aggregate, stream, start) => inner.foldRest(aggregate, stream, start),
  keepSnapshot: (aggregate, stream, before, after) => inner.keepSnapshot(aggregate, stream, before, after),
  foldAll: async (aggregate, stream) => {
    const loaded = await inner.foldAll(aggregate, stream);
    await assertNotTruncated(ports, stream, loaded);
    return loaded;
  },
});

const assertNotTruncated = async (
  { store, writers, knowledge }: Ports,
  stream: string,
  { state, end }: LoadedStream<TenantScoped>,
): Promise<void> => {
  if (writers === 'many processes' && end.revision !== 'none') return;
  const readModelRevision = await knowledge.readModelRevision(stream);
  if (readModelRevision <= revisionNumber(end)) return;
  // The event with that revision may have been appended after the stream was read.
  const [recorded] = await store.readStream(stream, readModelRevision, 1);
  if (recorded) return;
  const revision = revisionNumber(end) + 1;
  const reason = `event ${revision} of ${stream} is missing: a read model shows the stream up to revision ${readModelRevision}`;
  throw recordFault(knowledge.faults, new BrokenHistory({ stream, revision, kind: 'altered', reason, tenant: null }), state.tenant);
};
