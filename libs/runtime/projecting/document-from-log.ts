import type { Fields, StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import type { Message } from '../../eventsourcing/message.js';
import type { Projection } from '../../eventsourcing/projection.js';
import { createProjector } from './projector.js';
import { readHistoryPages, type VerifiedLog } from '../codec/verified-history.js';

/**
 * Folds the document of a read model from its stream. The stored read model is not used, so it may lag
 * behind. With `through`, returns the document as of that revision. Returns null if there is no document.
 * Rejects with BrokenHistory.
 */
export const readDocumentFromLog = async <E extends Message, Body, F extends Fields>(
  log: VerifiedLog,
  projection: Projection<E, Body, F>,
  id: string,
  through = Infinity,
): Promise<StoredDocument | null> => {
  const projector = createProjector(projection);
  let document: StoredDocument | null = null;
  for await (const events of readHistoryPages(log, `${projection.category}-${id}`, through)) {
    const before: StoredDocument | null = document;
    const { writes, parked } = projector.project(
      events,
      () => before,
      () => false,
    );
    for (const write of writes) if (write.kind !== 'increment') document = write.kind === 'put' ? write.document : null;
    if (parked.length > 0) break;
  }
  return document;
};
