import { hash } from 'node:crypto';
import { canonicalText } from '../eventsourcing/canonical-json.js';
import type { StoredDocument } from '../eventsourcing/ports/documents.port.js';
import type { AppendedEvent } from '../eventsourcing/event-codec.js';
import type { LoadedStream } from '../eventsourcing/streams/aggregate.js';
import { aggregateIdOf } from '../eventsourcing/message.js';
import type { DocumentFold } from '../eventsourcing/projection.js';
import { NO_DOCUMENT, foldEvent, type FoldedDocument } from '../eventsourcing/streams/folded-document.js';
import type { KeyVault } from '../eventsourcing/ports/key-vault.port.js';
import { openDocument } from '../runtime/codec/sealing.js';
import type { View } from './request.js';

/**
 * Returns the entity tag of a resource: its revision in the read model, and the version of that read model. If another document had that
 * revision before (contract 43.8), the tag has a digest of the document, too.
 */
export const etagOf = (
  { revision, isRefolded }: Pick<FoldedDocument, 'revision' | 'isRefolded'>,
  { version }: { readonly version: number },
  json: () => string,
): string => `${revision}.${version}${isRefolded ? `.${hash('sha256', canonicalText(json()), 'base64url').slice(0, 11)}` : ''}`;

/**
 * The suffix of a view's entity tag if values of the view are erased. An erasure changes the view, but not its revision
 * (contract 8.1).
 */
const ERASED = '.e';

/** Returns the entity tag of a view. The tag ends in `.e` if values of the view are erased. */
export const etagAfterErasure = (etag: string, isErased: boolean): string => (isErased ? `${etag}${ERASED}` : etag);

/** Returns an entity tag without the suffix `.e`. The result can be compared with a tag that `etagOf` returns. */
export const etagBeforeErasure = (etag: string): string => (etag.endsWith(ERASED) ? etag.slice(0, -ERASED.length) : etag);

/** Returns a view with its sealed personal values decrypted. The entity tag shows whether one of these values was erased. */
export const openView = async <V extends View>(keys: KeyVault, view: V): Promise<V> => {
  const { json, isErased } = await openDocument(keys, view.json);
  return { ...view, json, etag: etagAfterErasure(view.etag, isErased) };
};

/** Returns the view of a stored document. */
export const viewOf = (document: StoredDocument, projection: { readonly version: number }): View => {
  const { key, json, fields } = document;
  return { id: key, json, etag: etagOf(document, projection, () => json), fields };
};

/**
 * Returns the view of a resource after a change, for the response. The fold of the stream has the document, so neither the read
 * model nor the earlier events are read. Returns null if there is no document, for example after a deletion.
 */
export const viewAfter = (
  { projection }: { readonly projection: { readonly version: number } },
  id: string,
  { folded }: Pick<LoadedStream<unknown>, 'folded'>,
): View | null => {
  if (!folded.document) return null;
  const { body, fields } = folded.document;
  const json = JSON.stringify(body);
  return { id, json, etag: etagOf(folded, projection, () => json), fields };
};

/**
 * Returns the view of a resource after its first event, without reading the read model. This view is the result of a
 * creation. Throws if the projection has no document after that event.
 */
export const viewOfFirst = (projection: DocumentFold & { readonly version: number }, first: AppendedEvent): View => {
  const view = viewAfter({ projection }, aggregateIdOf(first.meta.stream), { folded: foldEvent(projection, NO_DOCUMENT, first) });
  if (!view) throw new Error(`the projection ${projection.name} has no document after ${first.type}`);
  return view;
};
