import type { Fields, StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import type { Message, RecordedEvent } from '../../eventsourcing/message.js';
import type { Projection } from '../../eventsourcing/projection.js';
import { createProjector } from './projector.js';
import { readHistoryPages, type VerifiedLog } from '../codec/verified-history.js';

/** An event of a stream, and the document of the read model before and after that event. */
export type DocumentStep = {
  readonly event: RecordedEvent;
  readonly before: StoredDocument | null;
  readonly after: StoredDocument | null;
};

/**
 * Yields each event of a stream with the document before and after that event. From the first event that the projection cannot
 * apply, the document no longer changes. Throws BrokenHistory if an event was altered or cannot be read.
 */
export async function* readDocumentSteps<E extends Message, Body, F extends Fields>(
  log: VerifiedLog,
  projection: Projection<E, Body, F>,
  id: string,
  through = Infinity,
): AsyncGenerator<DocumentStep> {
  const projector = createProjector(projection);
  let document: StoredDocument | null = null;
  let isParked = false;
  for await (const events of readHistoryPages(log, `${projection.category}-${id}`, { through })) {
    for (const event of events) {
      const before: StoredDocument | null = document;
      const { writes, parked } = projector.project(
        [event],
        () => before,
        () => isParked,
      );
      isParked ||= parked.length > 0;
      for (const write of writes) if (write.kind !== 'increment') document = write.kind === 'put' ? write.document : null;
      yield { event, before, after: document };
    }
  }
}
