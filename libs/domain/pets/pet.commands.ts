import type { Message } from '../../eventsourcing/message.js';
import type { PetId } from '../ids.js';
import type { Holder, PetDetails, PetStatus, Reservation } from './pet.events.js';

export type PetCommand =
  | Message<'ListPet', { readonly petId: PetId; readonly details: PetDetails; readonly status: PetStatus }>
  | Message<'RevisePet', { readonly petId: PetId; readonly details: PetDetails; readonly status: PetStatus }>
  | Message<'RetirePet', { readonly petId: PetId }>
  /** The price is the pet's own at that moment. */
  | Message<'ReservePet', { readonly petId: PetId } & Omit<Reservation, 'unitPrice' | 'currency'>>
  /** `to` AVAILABLE when the holder gives up, ADOPTED when it has been served. Does nothing unless `holder` holds the pet. */
  | Message<'ReleasePet', { readonly petId: PetId; readonly holder: Holder; readonly to: 'AVAILABLE' | 'ADOPTED' }>
  | Message<'AdoptPet', { readonly petId: PetId; readonly holder: Holder }>;
