import type { Message } from '../../eventsourcing/message.js';
import type { AdoptionId, ImageId, PetId } from '../ids.js';
import type { ImageReference, PetImage } from './pet-image.js';
import type { ClassicDetails, Holder, PetDetails, PetStatus, Reservation } from './pet.events.js';

export type PetCommand =
  | Message<
      'ListPet',
      {
        readonly petId: PetId;
        readonly details: PetDetails;
        readonly status: PetStatus;
        readonly number: number;
        readonly classic?: ClassicDetails;
      }
    >
  /** If `classic` is absent, the pet keeps the details that only the API under `/api/v3` shows (contract 39.4). */
  | Message<
      'RevisePet',
      { readonly petId: PetId; readonly details: PetDetails; readonly status: PetStatus; readonly classic?: ClassicDetails }
    >
  | Message<'RetirePet', { readonly petId: PetId }>
  /** Changes nothing if the pet has or had this image. */
  | Message<'AddPetPhoto', { readonly petId: PetId; readonly image: PetImage }>
  | Message<'RemovePetPhoto', { readonly petId: PetId; readonly imageId: ImageId }>
  /** Contains no price: the pet is reserved at its current price. */
  | Message<'ReservePet', { readonly petId: PetId } & Omit<Reservation, 'unitPrice' | 'currency'>>
  /**
   * Changes nothing unless `holder` holds the pet. `to` is AVAILABLE when the order was cancelled, and
   * ADOPTED when it was fulfilled.
   */
  | Message<'ReleasePet', { readonly petId: PetId; readonly holder: Holder; readonly to: 'AVAILABLE' | 'ADOPTED' }>
  | Message<'AdoptPet', { readonly petId: PetId; readonly holder: Holder }>
  /** `userId` is the subject of the token with which the application was sent. */
  | Message<'HoldPetForAdoption', { readonly petId: PetId; readonly adoptionId: AdoptionId; readonly userId?: string }>
  /** Changes nothing unless the application holds the pet. */
  | Message<'FreePetFromAdoption', { readonly petId: PetId; readonly adoptionId: AdoptionId }>
  | Message<'AdoptPetByApplication', { readonly petId: PetId; readonly adoptionId: AdoptionId }>;

/**
 * Deletes the blob of a removed image, and the encryption key of its metadata. The metadata is then unreadable. A repeated
 * command does nothing.
 */
export type DeleteImage = Message<'DeleteImage', { readonly petId: PetId } & ImageReference>;
