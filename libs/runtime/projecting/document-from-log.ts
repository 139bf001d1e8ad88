import type { Fields, StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import type { Message } from '../../eventsourcing/message.js';
import type { Projection } from '../../eventsourcing/projection.js';
import { createProjector } from './projector.js';
import { historyPages, type VerifiedLog } from '../codec/verified-history.js';

/**
 * What a read model is to say of a stream, folded from the stream itself, whether or not the read model has heard of it;
 * through a revision, what it said then. Null when there is nothing to show. Rejects with BrokenHistory.
 */
export const documentFromLog = async <E extends Message, Body, F extends Fields>(
  log: VerifiedLog,
  projection: Projection<E, Body, F>,
  id: string,
  through = Infinity,
): Promise<StoredDocument | null> => {
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
  return shown;
};
