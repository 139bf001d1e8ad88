import { canonicalJson } from '../../eventsourcing/canonical-json.js';
import { rejected, type Decider, type Rejection } from '../../eventsourcing/decider.js';
import { unreachable, type EventMeta } from '../../eventsourcing/message.js';
import { isCurrency } from '../currencies.js';
import type { PetCommand } from './pet.commands.js';
import type { Holder, PetDetails, PetEvent, PetStatus, Reservation } from './pet.events.js';

/**
 * A reservation with the digest of the request that made it, which identifies a replayed request (contract
 * 9.2).
 */
type HeldReservation = Reservation & { readonly reservedDigest?: string };

type ListedPet = {
  readonly kind: 'listed';
  readonly tenant: string;
  readonly details: PetDetails;
  readonly status: PetStatus;
  /** Kept until the holder releases the pet, so also while it is ADOPTED. */
  readonly reservation: HeldReservation | null;
};

export type PetState =
  | { readonly kind: 'unlisted'; readonly tenant: null; readonly reservation: null }
  | ListedPet
  | { readonly kind: 'retired'; readonly tenant: string; readonly reservation: null };

export type PetRejection =
  /** The stream already exists. */
  | 'pet_exists'
  /** Never listed, or retired. */
  | 'pet_not_found'
  /** The command would take the pet from its holder. */
  | 'pet_held'
  /** Not AVAILABLE. */
  | 'pet_not_available'
  /** The pet's price is in a currency that is no longer supported, so an order could never be paid. */
  | 'price_not_payable';

type Decision = readonly PetEvent[] | Rejection<PetRejection>;
type CommandData<T extends PetCommand['type']> = Extract<PetCommand, { type: T }>['data'];

const decide = (command: PetCommand, pet: PetState): Decision => {
  switch (command.type) {
    case 'ListPet':
      return pet.kind === 'unlisted' ? list(command.data) : rejected('pet_exists');
    case 'RevisePet':
      return pet.kind === 'listed' ? revise(command.data, pet) : rejected('pet_not_found');
    case 'RetirePet':
      return pet.kind === 'listed' ? retire(pet) : rejected('pet_not_found');
    case 'ReservePet':
      return pet.kind === 'listed' ? reserve(command.data, pet) : rejected('pet_not_found');
    case 'ReleasePet':
      return pet.kind === 'listed' ? release(command.data, pet) : [];
    case 'AdoptPet':
      return pet.kind === 'listed' ? adopt(command.data, pet) : [];
    default:
      return unreachable(command);
  }
};

const list = ({ details, status }: CommandData<'ListPet'>): Decision => [{ type: 'PetListed', data: { details, status } }];

const revise = ({ details, status }: CommandData<'RevisePet'>, pet: ListedPet): Decision => {
  const isStatusChanged = status !== pet.status;
  // Staff can set any status unless an open order holds the pet (contract 12.7).
  if (isStatusChanged && pet.reservation) return rejected('pet_held', ['status']);
  const events: PetEvent[] = [];
  if (canonicalJson(details) !== canonicalJson(pet.details)) events.push({ type: 'PetDetailsRevised', data: { details } });
  if (isStatusChanged) events.push({ type: 'PetStatusSet', data: { from: pet.status, to: status, reason: 'staff' } });
  return events;
};

/** Retires a pet unless an open order holds it (contract 12.8). */
const retire = ({ status, reservation }: ListedPet): Decision =>
  reservation ? rejected('pet_held') : [{ type: 'PetRetired', data: { status } }];

const reserve = (data: CommandData<'ReservePet'>, pet: ListedPet): Decision => {
  if (isHeldBy(pet, data.holder)) return [];
  // Any other status rejects the reservation (contract 13.3).
  if (pet.status !== 'AVAILABLE') return rejected('pet_not_available');
  const { price, currency } = pet.details;
  if (price !== undefined && currency !== undefined && !isCurrency(currency)) return rejected('price_not_payable');
  return [{ type: 'PetReserved', data: reservationOf(data, pet.details) }];
};

/** Freezes the price and its currency (contract 13.5). A currency without a price is not frozen. */
const reservationOf = (
  { holder, quantity, userId, shipDate }: CommandData<'ReservePet'>,
  { price, currency }: PetDetails,
): Reservation => ({
  holder,
  quantity,
  ...(userId !== undefined && { userId }),
  ...(shipDate !== undefined && { shipDate }),
  ...(price !== undefined && { unitPrice: price, ...(currency !== undefined && { currency }) }),
});

/** Releases the pet only when the given order holds it (contract 13.6). */
const release = ({ holder, to }: CommandData<'ReleasePet'>, pet: ListedPet): Decision =>
  isHeldBy(pet, holder) ? [{ type: 'PetReleased', data: { holder, from: pet.status, to } }] : [];

const adopt = ({ holder }: CommandData<'AdoptPet'>, pet: ListedPet): Decision =>
  isHeldBy(pet, holder) && pet.status === 'PENDING' ? [{ type: 'PetAdopted', data: { holder } }] : [];

const isHeldBy = ({ reservation }: ListedPet, { kind, id }: Holder): boolean =>
  reservation?.holder.kind === kind && reservation.holder.id === id;

const evolve = (pet: PetState, event: PetEvent, meta: EventMeta): PetState => {
  if (event.type === 'PetListed') return { kind: 'listed', tenant: meta.tenant, ...event.data, reservation: null };
  if (pet.kind !== 'listed') return pet;
  switch (event.type) {
    case 'PetDetailsRevised':
      return { ...pet, details: event.data.details };
    case 'PetStatusSet':
      return { ...pet, status: event.data.to };
    case 'PetReserved':
      return { ...pet, status: 'PENDING', reservation: heldReservation(event.data, meta) };
    case 'PetReleased':
      return { ...pet, status: event.data.to, reservation: null };
    case 'PetAdopted':
      return { ...pet, status: 'ADOPTED' };
    case 'PetRetired':
      return { kind: 'retired', tenant: pet.tenant, reservation: null };
    default:
      return unreachable(event);
  }
};

const heldReservation = (reservation: Reservation, { bodyDigest }: EventMeta): HeldReservation => ({
  ...reservation,
  ...(bodyDigest !== undefined && { reservedDigest: bodyDigest }),
});

/** Decides what can happen to a pet, from listing to retiring. */
export const petDecider: Decider<PetState, PetCommand, PetEvent, PetRejection> = {
  initial: { kind: 'unlisted', tenant: null, reservation: null },
  decide,
  evolve,
};
