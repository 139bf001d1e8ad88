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

/** All that staff may say of a pet; what is absent was not said. */
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
  /** Decimal text with two decimals; comes with a currency. */
  readonly price?: string;
  /** ISO 4217. */
  readonly currency?: string;
  readonly description?: string;
  readonly photos?: readonly string[];
  readonly medicalInfo?: MedicalInfo;
};

/** Who keeps a pet from everyone else. */
export type Holder = { readonly kind: 'order'; readonly id: OrderId };

/** What an order asked for, and the price it froze. */
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
  /** The holder lets go: back to AVAILABLE when the order was cancelled, still ADOPTED when it was fulfilled. */
  | Message<'PetReleased', { readonly holder: Holder; readonly from: PetStatus; readonly to: PetStatus }>
  /** PENDING becomes ADOPTED; the holder still holds. */
  | Message<'PetAdopted', { readonly holder: Holder }>
  | Message<'PetRetired', { readonly status: PetStatus }>;
