import type { Message } from '../../eventsourcing/message.js';
import type { AdoptionId, ImageId, OrderId } from '../ids.js';
import type { PetImage } from './pet-image.js';

export const SPECIES = ['DOG', 'CAT', 'RABBIT', 'BIRD', 'REPTILE', 'OTHER'] as const;
export const SIZES = ['SMALL', 'MEDIUM', 'LARGE'] as const;
export const GENDERS = ['MALE', 'FEMALE', 'UNKNOWN'] as const;
export const PET_STATUSES = ['AVAILABLE', 'PENDING', 'ADOPTED', 'NOT_AVAILABLE'] as const;

export type Species = (typeof SPECIES)[number];
export type Size = (typeof SIZES)[number];
export type Gender = (typeof GENDERS)[number];
export type PetStatus = (typeof PET_STATUSES)[number];

export type MedicalInfo = {
  readonly spayedNeutered?: boolean;
  readonly vaccinated?: boolean;
  readonly microchipped?: boolean;
  readonly specialNeeds?: boolean;
  readonly healthNotes?: string;
};

/** The details that staff enter for a pet. An absent field was not entered. */
export type PetDetails = {
  readonly name: string;
  readonly species: Species;
  readonly breed?: string;
  /** At least 0. */
  readonly ageMonths: number;
  readonly size?: Size;
  readonly color?: string;
  readonly gender?: Gender;
  readonly goodWithKids?: boolean;
  /** Decimal text with two decimals; requires a currency. */
  readonly price?: string;
  /** ISO 4217. */
  readonly currency?: string;
  readonly description?: string;
  readonly photos?: readonly string[];
  readonly medicalInfo?: MedicalInfo;
};

/**
 * The members of a pet that only the classic variant, the API under `/api/v3`, shows (contract 39.4). An absent member was
 * not entered.
 */
export type ClassicDetails = {
  readonly category?: NumberedName;
  readonly tags?: readonly NumberedName[];
  /** The photos that are no http or https address, with their places among all photos. */
  readonly otherPhotos?: readonly OtherPhoto[];
};

/** A photo of the classic variant that is no address. `/v1`, topics and webhooks have addresses only. */
export type OtherPhoto = { readonly at: number; readonly text: string };

/** A category or a tag. The client chooses the id, which has no meaning to the service. */
export type NumberedName = { readonly id?: number; readonly name?: string };

/** The order that has reserved or adopted a pet. No other order can reserve the pet until the holder releases it. */
export type Holder = { readonly kind: 'order'; readonly id: OrderId };

/** The terms of an order, and the pet's price at the time of the reservation. Later price changes do not affect the order. */
export type Reservation = {
  readonly holder: Holder;
  readonly quantity: number;
  readonly userId?: string;
  /** YYYY-MM-DD. */
  readonly shipDate?: string;
  /** Absent when the pet had no price. */
  readonly unitPrice?: string;
  readonly currency?: string;
  /** The number of the order in the classic variant. Absent in reservations of earlier versions. */
  readonly number?: number;
};

export type PetEvent =
  /** `number` is the pet's integer id in the classic variant (contract 39.3). Earlier versions recorded no number. */
  | Message<
      'PetListed',
      { readonly details: PetDetails; readonly status: PetStatus; readonly number?: number; readonly classic?: ClassicDetails }
    >
  /** Without `classic`, the members of the classic variant stay as they are. */
  | Message<'PetDetailsRevised', { readonly details: PetDetails; readonly classic?: ClassicDetails }>
  /** Staff set the status. The reason is always `staff`. */
  | Message<'PetStatusSet', { readonly from: PetStatus; readonly to: PetStatus; readonly reason: string }>
  /** AVAILABLE becomes PENDING. */
  | Message<'PetReserved', Reservation>
  /**
   * The holder releases the pet. The pet is then AVAILABLE if the order was cancelled, and ADOPTED if it was fulfilled.
   */
  | Message<'PetReleased', { readonly holder: Holder; readonly from: PetStatus; readonly to: PetStatus }>
  /** PENDING becomes ADOPTED; the holder keeps the pet. */
  | Message<'PetAdopted', { readonly holder: Holder }>
  /**
   * `adoptionIds` are all open applications that hold the pet after this event. The first application makes an AVAILABLE
   * pet PENDING. `userId` is the person who sent the last one with a token. Absent if that application is not new, and in events
   * of earlier versions.
   */
  | Message<'PetHeldForAdoption', { readonly adoptionIds: readonly AdoptionId[]; readonly userId?: string }>
  /** The last open application ended: PENDING becomes AVAILABLE. */
  | Message<'PetFreedFromAdoption', Readonly<Record<string, never>>>
  /** PENDING becomes ADOPTED. `otherIds` are the other applications that held the pet. */
  | Message<'PetAdoptedByApplication', { readonly adoptionId: AdoptionId; readonly otherIds: readonly AdoptionId[] }>
  /** The blob of the image was stored before this event. */
  | Message<'PetPhotoAdded', PetImage>
  /** The blob of the image, and the key of its metadata, are deleted after this event. */
  | Message<'PetPhotoRemoved', { readonly imageId: ImageId; readonly digest: string }>
  /** Before this event, a PetPhotoRemoved is recorded for each image of the pet. */
  | Message<'PetRetired', { readonly status: PetStatus }>;
