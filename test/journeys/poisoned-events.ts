import { DOMAIN_EVENTS } from '../../libs/domain/events.js';
import type { EncodedEvent, StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import { encodeNext } from '../http/altered-histories.js';

/** Encodes a change of a listed pet that the read model of pets cannot apply, because its photos are no list. `last` is its last event. */
export const brokenPhotos = (last: StoredEvent): Promise<readonly EncodedEvent[]> => {
  const { details } = JSON.parse(last.data) as { readonly details: object };
  return encodeNext(last, DOMAIN_EVENTS, 'PetDetailsRevised', { details: { ...details, photos: 1 } });
};

/** Encodes an event of a pet that the processes cannot handle, because it does not say which other applications there are. */
export const incompleteAdoption = (last: StoredEvent): Promise<readonly EncodedEvent[]> =>
  encodeNext(last, DOMAIN_EVENTS, 'PetAdoptedByApplication', { adoptionId: '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60' });
