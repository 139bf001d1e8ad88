import type { StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import type { DocumentFold } from '../../eventsourcing/projection.js';
import { NO_DOCUMENT, foldEvent, type FoldedDocument } from '../../eventsourcing/streams/folded-document.js';
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
export async function* readDocumentSteps(
  log: VerifiedLog,
  projection: DocumentFold & { readonly category: string },
  id: string,
  through = Infinity,
): AsyncGenerator<DocumentStep, void> {
  let folded = NO_DOCUMENT;
  let after: StoredDocument | null = null;
  for await (const events of readHistoryPages(log, `${projection.category}-${id}`, { through }))
    for (const event of events) {
      const [shownBefore, before]: [FoldedDocument, StoredDocument | null] = [folded, after];
      folded = foldEvent(projection, folded, event);
      if (folded !== shownBefore) after = storedDocument(id, folded);
      yield { event, before, after };
    }
}

const storedDocument = (key: string, { document, revision }: FoldedDocument): StoredDocument | null =>
  document && { key, json: JSON.stringify(document.body), fields: document.fields, revision };
