import type { EventMeta, Message } from '../message.js';
import { handlerOf, type Document, type DocumentFold } from '../projection.js';

/**
 * The document of a stream's read model, folded together with the state. So the response to a change needs neither the read model,
 * which may lag, nor the earlier events.
 */
export type FoldedDocument = {
  readonly document: Document<unknown> | null;
  /** The revision of the last event that changed the document, or -1. Entity tags contain it. */
  readonly revision: number;
  /** Whether the projection could not apply an event. The read model then shows the document before that event. */
  readonly isParked: boolean;
};

/** The document of a stream without events. */
export const NO_DOCUMENT: FoldedDocument = { document: null, revision: -1, isParked: false };

/** Applies an event to a document. A projection that does not know the event parks the stream, as the projector does. */
export const foldEvent = (fold: DocumentFold, folded: FoldedDocument, event: Message & { readonly meta: EventMeta }): FoldedDocument => {
  if (folded.isParked) return folded;
  try {
    const handler = handlerOf(fold, event.type);
    if (handler === 'ignore') return folded;
    return { document: handler(folded.document, event.data, event.meta), revision: event.meta.revision, isParked: false };
  } catch {
    return { ...folded, isParked: true };
  }
};
