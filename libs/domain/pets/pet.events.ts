import type { Message } from '../../eventsourcing/message.js';
import type { OrderId } from '../ids.js';

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

/** The order that has reserved or adopted a pet. No other order can reserve the pet until it is released. */
export type Holder = { readonly kind: 'order'; readonly id: OrderId };

/** The terms that an order requested, and the price frozen for it. */
export type Reservation = {
  readonly holder: Holder;
  readonly quantity: number;
  readonly userId?: string;
  /** YYYY-MM-DD. */
  readonly shipDate?: string;
  /** Absent when the pet had no price. */
  readonly unitPrice?: string;
  readonly currency?: string;
};

export type PetEvent =
  | Message<'PetListed', { readonly details: PetDetails; readonly status: PetStatus }>
  | Message<'PetDetailsRevised', { readonly details: PetDetails }>
  | Message<'PetStatusSet', { readonly from: PetStatus; readonly to: PetStatus; readonly reason: string }>
  /** AVAILABLE becomes PENDING. */
  | Message<'PetReserved', Reservation>
  /**
   * The holder releases the pet: to AVAILABLE when the order was cancelled, to ADOPTED when it was fulfilled.
   */
  | Message<'PetReleased', { readonly holder: Holder; readonly from: PetStatus; readonly to: PetStatus }>
  /** PENDING becomes ADOPTED; the holder keeps the pet. */
  | Message<'PetAdopted', { readonly holder: Holder }>
  | Message<'PetRetired', { readonly status: PetStatus }>;
