import { applicantSubject } from '../../domain/events.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { openDocument } from '../../runtime/codec/sealing.js';
import type { View } from '../request.js';
import { etagAfterErasure } from '../views.js';
import { ManageTokens } from './manage-tokens.js';

/**
 * Decrypts the JSON of an application. Omits the fields `applicant` and `message` if the applicant's key is destroyed. An
 * erasure may destroy the key before the read model shows the erasure (contract 36.8).
 */
export const openAdoption = async (keys: KeyVault, json: string): Promise<string> => {
  const opened = await openDocument(keys, json);
  return opened.isErased ? withoutApplicant(opened.json) : opened.json;
};

/** Decrypts the JSON of a view as `openAdoption` does. The entity tag ends in `.e` if the applicant's key is destroyed. */
export const openAdoptionView = async <V extends View>(keys: KeyVault, view: V): Promise<V> => {
  const { json, isErased } = await openDocument(keys, view.json);
  return { ...view, json: isErased ? withoutApplicant(json) : json, etag: etagAfterErasure(view.etag, isErased) };
};

/** Removes what an erasure removes from the JSON of an application. */
export const withoutApplicant = (json: string): string => {
  const { applicant: _, message: __, ...record } = JSON.parse(json) as Record<string, unknown>;
  return JSON.stringify(record);
};

/**
 * Destroys the key of an applicant, and ends the tokens of the application. The call may be repeated: a domain process repeats it
 * after a crash (contract 24.2).
 */
export const forgetApplicant = async (
  { keys, documents }: { readonly keys: KeyVault; readonly documents: Documents },
  adoptionId: string,
): Promise<void> => {
  await keys.destroyPersonalKey(applicantSubject(adoptionId));
  await new ManageTokens(documents, keys).forget(adoptionId);
};
