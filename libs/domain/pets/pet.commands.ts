import type { Message } from '../../eventsourcing/message.js';
import type { PetId } from '../ids.js';
import type { Holder, PetDetails, PetStatus, Reservation } from './pet.events.js';

export type PetCommand =
  | Message<'ListPet', { readonly petId: PetId; readonly details: PetDetails; readonly status: PetStatus }>
  | Message<'RevisePet', { readonly petId: PetId; readonly details: PetDetails; readonly status: PetStatus }>
  | Message<'RetirePet', { readonly petId: PetId }>
  /** Contains no price: the pet is reserved at its current price. */
  | Message<'ReservePet', { readonly petId: PetId } & Omit<Reservation, 'unitPrice' | 'currency'>>
  /**
   * Changes nothing unless `holder` holds the pet. `to` is AVAILABLE when the order was cancelled, and
   * ADOPTED when it was fulfilled.
   */
  | Message<'ReleasePet', { readonly petId: PetId; readonly holder: Holder; readonly to: 'AVAILABLE' | 'ADOPTED' }>
  | Message<'AdoptPet', { readonly petId: PetId; readonly holder: Holder }>;
