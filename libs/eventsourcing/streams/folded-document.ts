import type { EventMeta, Message } from '../message.js';
import { handlerOf, isSkippedBy, type Document, type DocumentFold } from '../projection.js';

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
  /** The revisions of the events that were skipped. Absent: none. */
  readonly skipped?: readonly number[];
  /** Whether there was another document of this revision, because operators have skipped other events. */
  readonly isRefolded?: true;
};

/** The document of a stream without events. */
export const NO_DOCUMENT: FoldedDocument = { document: null, revision: -1, isParked: false };

/** Applies an event to a document. A projection that does not know the event parks the stream, as the projector does. */
export const foldEvent = (fold: DocumentFold, folded: FoldedDocument, event: Message & { readonly meta: EventMeta }): FoldedDocument => {
  const { revision } = event.meta;
  const before = isSkippedBy(fold.name, event) ? { ...folded, skipped: [...(folded.skipped ?? []), revision] } : folded;
  if (before.isParked) return before;
  try {
    const handler = handlerOf(fold, event);
    if (handler === 'ignore') return before;
    return { ...before, document: handler(before.document, event.data, event.meta), revision };
  } catch {
    return { ...before, isParked: true };
  }
};

/**
 * Returns whether a document was folded with what is skipped now. `skipped` are the revisions of its stream that its projection leaves
 * out, and `end` is the last revision that was folded.
 */
export const hasSkipped = ({ skipped: left = [] }: FoldedDocument, skipped: readonly number[], end: number): boolean => {
  const wanted = skipped.filter((revision) => revision <= end);
  return wanted.length === left.length && wanted.every((revision, index) => revision === left[index]);
};
