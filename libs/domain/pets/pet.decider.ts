import { canonicalJson } from '../../eventsourcing/canonical-json.js';
import { rejected, type Decider, type Rejection } from '../../eventsourcing/decider.js';
import { unreachable, type EventMeta, type Message } from '../../eventsourcing/message.js';
import { isCurrency } from '../currencies.js';
import {
  adoptByApplication,
  approvedApplications,
  free,
  hold,
  isApproved,
  NO_APPLICATIONS,
  openApplications,
  type PetApplicationRejection,
  type PetApplications,
} from './pet-applications.js';
import {
  addImage,
  checkPhotoCount,
  isKnownImage,
  NO_IMAGES,
  removeImage,
  type ImageRejection,
  type PetImages,
  type ImageReference,
  type PetImage,
} from './pet-image.js';
import type { ClassicDetails, Holder, PetDetails, PetEvent, PetStatus, Reservation } from './pet.events.js';
import type { AdoptionId, ImageId, PetId } from '../ids.js';

export type PetCommand =
  | Message<
      'CreatePet',
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
      'UpdatePet',
      { readonly petId: PetId; readonly details: PetDetails; readonly status: PetStatus; readonly classic?: ClassicDetails }
    >
  | Message<'DeletePet', { readonly petId: PetId }>
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

/**
 * A reservation, and the digest of the body of the request that made it. The digest shows whether a repeated request has
 * the same body (contract 9.2, 9.3).
 */
type HeldReservation = Reservation & { readonly reservedDigest?: string };

type ListedPet = {
  readonly kind: 'listed';
  readonly tenant: string;
  readonly details: PetDetails;
  readonly classic: ClassicDetails;
  readonly status: PetStatus;
  /** Null if no order holds the pet. Kept until the holder releases the pet, so also while the pet is ADOPTED. */
  readonly reservation: HeldReservation | null;
  readonly images: PetImages;
  readonly applications: PetApplications;
};

export type PetState =
  | { readonly kind: 'unlisted'; readonly tenant: null; readonly reservation: null }
  | ListedPet
  | { readonly kind: 'retired'; readonly tenant: string; readonly reservation: null; readonly applications: PetApplications };

export type PetRejection =
  | ImageRejection
  /** The stream already exists. */
  | 'pet_exists'
  /** Never listed, or retired. */
  | 'pet_not_found'
  /** An open order or application holds the pet. */
  | 'pet_held'
  /** Not AVAILABLE. */
  | 'pet_not_available'
  /** The pet's price is in a currency that is no longer supported, so an order could never be paid. */
  | 'price_not_payable'
  | PetApplicationRejection;

type Decision = readonly PetEvent[] | Rejection<PetRejection>;
type CommandData<T extends PetCommand['type']> = Extract<PetCommand, { type: T }>['data'];

const decide = (command: PetCommand, pet: PetState): Decision => {
  switch (command.type) {
    case 'CreatePet':
      return pet.kind === 'unlisted' ? create(command.data) : rejected('pet_exists');
    case 'UpdatePet':
      return pet.kind === 'listed' ? update(command.data, pet) : rejected('pet_not_found');
    case 'DeletePet':
      return pet.kind === 'listed' ? remove(pet) : rejected('pet_not_found');
    case 'AddPetPhoto':
      return pet.kind === 'listed' ? addPhoto(command.data, pet) : rejected('pet_not_found');
    case 'RemovePetPhoto':
      return pet.kind === 'listed' ? removePhoto(command.data, pet) : rejected('pet_not_found');
    case 'ReservePet':
      return pet.kind === 'listed' ? reserve(command.data, pet) : rejected('pet_not_found');
    case 'ReleasePet':
      return pet.kind === 'listed' ? release(command.data, pet) : [];
    case 'AdoptPet':
      return pet.kind === 'listed' ? adopt(command.data, pet) : [];
    case 'HoldPetForAdoption':
      // A repeated command changes nothing, even if the pet was retired after its adoption.
      if (pet.kind !== 'unlisted' && isApproved(command.data, pet.applications)) return [];
      return pet.kind === 'listed' ? hold(command.data, pet) : rejected('pet_not_found');
    case 'FreePetFromAdoption':
      return pet.kind === 'listed' ? free(command.data, pet) : [];
    case 'AdoptPetByApplication':
      return pet.kind === 'unlisted' ? rejected('pet_not_found') : adoptByApplication(command.data, pet.applications);
    default:
      return unreachable(command);
  }
};

const create = ({ petId: _, ...listed }: CommandData<'CreatePet'>): Decision => [{ type: 'PetListed', data: listed }];

const update = ({ details, status, classic }: CommandData<'UpdatePet'>, pet: ListedPet): Decision => {
  const isStatusChanged = status !== pet.status;
  // Staff can set any status unless an open order or application holds the pet (contract 12.7).
  if (isStatusChanged && isHeld(pet)) return rejected('pet_held', ['status']);
  const tooMany = checkPhotoCount(linksOf(details, classic ?? pet.classic), pet.images.present.length);
  if (tooMany) return tooMany;
  const events: PetEvent[] = [];
  const isClassicChanged = classic !== undefined && canonicalJson(classic) !== canonicalJson(pet.classic);
  if (isClassicChanged || canonicalJson(details) !== canonicalJson(pet.details))
    events.push({ type: 'PetDetailsRevised', data: { details, ...(isClassicChanged && { classic }) } });
  if (isStatusChanged) events.push({ type: 'PetStatusSet', data: { from: pet.status, to: status, reason: 'staff' } });
  return events;
};

const isHeld = ({ reservation, applications }: ListedPet): boolean => reservation !== null || applications.open.length > 0;

/** Retires a pet and removes its images, unless an open order or application holds the pet (contract 12.8, 37.9). */
const remove = (pet: ListedPet): Decision => {
  if (isHeld(pet)) return rejected('pet_held');
  const removed = pet.images.present.map((data) => ({ type: 'PetPhotoRemoved', data }) as const);
  return [...removed, { type: 'PetRetired', data: { status: pet.status } }];
};

/** Returns the number of photos that are no images. */
const linksOf = ({ photos = [] }: PetDetails, { otherPhotos = [] }: ClassicDetails): number => photos.length + otherPhotos.length;

const addPhoto = ({ image }: CommandData<'AddPetPhoto'>, { images, details, classic }: ListedPet): Decision => {
  if (isKnownImage(images, image.imageId)) return [];
  return checkPhotoCount(linksOf(details, classic), images.present.length + 1) ?? [{ type: 'PetPhotoAdded', data: image }];
};

const removePhoto = ({ imageId }: CommandData<'RemovePetPhoto'>, { images }: ListedPet): Decision => {
  const image = images.present.find((one) => one.imageId === imageId);
  return image ? [{ type: 'PetPhotoRemoved', data: image }] : rejected('image_not_found');
};

const reserve = (data: CommandData<'ReservePet'>, pet: ListedPet): Decision => {
  if (isHeldBy(pet, data.holder)) return [];
  // Only an AVAILABLE pet can be reserved (contract 13.3).
  if (pet.status !== 'AVAILABLE') return rejected('pet_not_available');
  const { price, currency } = pet.details;
  if (price !== undefined && currency !== undefined && !isCurrency(currency)) return rejected('price_not_payable');
  return [{ type: 'PetReserved', data: reservationOf(data, pet.details) }];
};

/** Returns the reservation with the pet's current price and currency (contract 13.5). A currency without a price is omitted. */
const reservationOf = (
  { holder, quantity, userId, shipDate, number }: CommandData<'ReservePet'>,
  { price, currency }: PetDetails,
): Reservation => ({
  holder,
  quantity,
  ...(userId !== undefined && { userId }),
  ...(shipDate !== undefined && { shipDate }),
  ...(number !== undefined && { number }),
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
  if (event.type === 'PetListed') {
    const { tenant } = meta;
    const { details, status, classic = {} } = event.data;
    return { kind: 'listed', tenant, details, status, classic, reservation: null, images: NO_IMAGES, applications: NO_APPLICATIONS };
  }
  if (pet.kind !== 'listed') return pet;
  switch (event.type) {
    case 'PetDetailsRevised':
      return { ...pet, details: event.data.details, classic: event.data.classic ?? pet.classic };
    case 'PetStatusSet':
      return { ...pet, status: event.data.to };
    case 'PetReserved':
      return { ...pet, status: 'PENDING', reservation: heldReservation(event.data, meta) };
    case 'PetReleased':
      return { ...pet, status: event.data.to, reservation: null };
    case 'PetAdopted':
      return { ...pet, status: 'ADOPTED' };
    case 'PetPhotoAdded':
      return { ...pet, images: addImage(pet.images, event.data) };
    case 'PetPhotoRemoved':
      return { ...pet, images: removeImage(pet.images, event.data.imageId) };
    case 'PetHeldForAdoption':
      return { ...pet, status: 'PENDING', applications: openApplications(pet.applications, event.data.adoptionIds, event.data.userId) };
    case 'PetFreedFromAdoption':
      return { ...pet, status: 'AVAILABLE', applications: openApplications(pet.applications, []) };
    case 'PetAdoptedByApplication':
      return { ...pet, status: 'ADOPTED', applications: approvedApplications(pet.applications, event.data.adoptionId) };
    case 'PetRetired':
      return { kind: 'retired', tenant: pet.tenant, reservation: null, applications: pet.applications };
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
