import type { EventMeta, Message } from '../message.js';
import { handlerOf, type Document, type DocumentFold } from '../projection.js';

/**
 * The document of a stream's read model, folded together with the state. So the response to a change needs neither the read model,
 * which may lag, nor the earlier events.
 */
export type ShownDocument = {
  readonly document: Document<unknown> | null;
  /** The revision of the last event that changed the document, or -1. Entity tags contain it. */
  readonly revision: number;
  /** Whether the projection could not apply an event. The read model then shows the document before that event. */
  readonly isParked: boolean;
};

/** The document of a stream without events. */
export const NOTHING_SHOWN: ShownDocument = { document: null, revision: -1, isParked: false };

/** Applies an event to a document. A projection that does not know the event parks the stream, as the projector does. */
export const showEvent = (fold: DocumentFold, shown: ShownDocument, event: Message & { readonly meta: EventMeta }): ShownDocument => {
  if (shown.isParked) return shown;
  try {
    const handler = handlerOf(fold, event.type);
    if (handler === 'ignore') return shown;
    return { document: handler(shown.document, event.data, event.meta), revision: event.meta.revision, isParked: false };
  } catch {
    return { ...shown, isParked: true };
  }
};
