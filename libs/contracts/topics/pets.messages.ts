import { IMAGE_TYPES } from '../../domain/pets/pet-image.js';
import { GENDERS, PET_STATUSES, SIZES, SPECIES, type PetDetails, type PetEvent } from '../../domain/pets/pet.events.js';
import { messageContract, messageSpec } from '../message-contract.js';
import { constantValue, currency, flag, id, list, money, object, oneOf, text, uri, wholeNumber } from '../message-schema.js';

const petId = id('The pet', '01a0e5b0-0000-7000-8000-000000000001');
const orderId = id('The order that reserved the pet', '01a0e5b0-0000-7000-8000-000000000002');
const imageId = id('The image', '01a0e5b0-0000-7000-8000-000000000004');
const adoptionId = id('An application for the pet', '01a0e5b0-0000-7000-8000-000000000009');
const status = oneOf('The status of the pet', PET_STATUSES, 'AVAILABLE');
const previousStatus = oneOf('The previous status', PET_STATUSES, 'AVAILABLE');
const pending = constantValue('PENDING', 'The status of the pet');
const formerlyPending = constantValue('PENDING', 'The previous status');
const adopted = constantValue('ADOPTED', 'The status of the pet');

/** The health of a pet, in messages and in webhooks. */
export const MEDICAL_INFO_SCHEMA = object(
  {},
  {
    spayedNeutered: flag('Whether the pet is spayed or neutered'),
    vaccinated: flag('Whether the pet is vaccinated'),
    microchipped: flag('Whether the pet has a microchip'),
    specialNeeds: flag('Whether the pet needs special care', false),
    healthNotes: text('Further notes on the health of the pet', 'fit'),
  },
  'The health of the pet. Unknown facts are absent',
);

/** The optional details of a pet, in messages and in webhooks. */
export const OPTIONAL_DETAILS = {
  breed: text('The breed of the pet', 'Border Collie'),
  size: oneOf('The size of the pet', SIZES, 'MEDIUM'),
  color: text('The colour of the pet', 'black and white'),
  gender: oneOf('The gender of the pet', GENDERS, 'MALE'),
  goodWithKids: flag('Whether the pet gets along with children'),
  price: money('The price of the pet', '90.00'),
  currency: currency('The currency of the price', 'EUR'),
  description: text('The description of the pet', 'Herds everything, even “cats” 🐈'),
  photos: list('The URLs of photos of the pet', uri('A photo', 'https://example.org/rex.jpg')),
  medicalInfo: MEDICAL_INFO_SCHEMA,
};

/** The details of a pet in messages. */
export const PET_DETAILS_SCHEMA = object(
  {
    name: text('The name of the pet', 'Rex'),
    species: oneOf('The species of the pet', SPECIES, 'DOG'),
    ageMonths: wholeNumber('The age of the pet in months', 0, 24),
  },
  OPTIONAL_DETAILS,
  'The details of the pet in the catalogue. Unknown details are absent',
);

/** Returns the public details of a pet. Lists them one by one, so that a new internal detail is not published by accident. */
const publicDetails = ({ medicalInfo, ...details }: PetDetails) => ({
  name: details.name,
  species: details.species,
  breed: details.breed,
  ageMonths: details.ageMonths,
  size: details.size,
  color: details.color,
  gender: details.gender,
  goodWithKids: details.goodWithKids,
  price: details.price,
  currency: details.currency,
  description: details.description,
  photos: details.photos,
  medicalInfo: medicalInfo && {
    spayedNeutered: medicalInfo.spayedNeutered,
    vaccinated: medicalInfo.vaccinated,
    microchipped: medicalInfo.microchipped,
    specialNeeds: medicalInfo.specialNeeds,
    healthNotes: medicalInfo.healthNotes,
  },
});

/** The public messages of pets. They have the id of the order that holds a pet, but not of the user (contract 22.5). */
export const petMessages = messageContract<PetEvent>('pet', 'pets', {
  PetListed: messageSpec(
    'A pet was added to the catalogue.',
    object({ petId, status, details: PET_DETAILS_SCHEMA }),
    ({ details, status }, petId) => ({
      petId,
      status,
      details: publicDetails(details),
    }),
  ),
  PetDetailsRevised: messageSpec(
    'The details of the pet changed. The message contains all details, not only the changed ones.',
    object({ petId, details: PET_DETAILS_SCHEMA }),
    ({ details }, petId) => ({ petId, details: publicDetails(details) }),
  ),
  PetStatusSet: messageSpec('Staff changed the status of the pet.', object({ petId, previousStatus, status }), ({ from, to }, petId) => ({
    petId,
    previousStatus: from,
    status: to,
  })),
  PetReserved: messageSpec(
    'The pet was reserved for an order.',
    object({ petId, previousStatus: constantValue('AVAILABLE', 'The previous status'), status: pending, orderId }),
    ({ holder }, petId) => ({ petId, previousStatus: 'AVAILABLE', status: 'PENDING', orderId: holder.id }),
  ),
  PetReleased: messageSpec(
    'The order released the pet. The status is AVAILABLE if the order was cancelled, or ADOPTED if it was fulfilled.',
    object({ petId, previousStatus, status, orderId }),
    ({ holder, from, to }, petId) => ({ petId, previousStatus: from, status: to, orderId: holder.id }),
  ),
  PetAdopted: messageSpec(
    'The order was paid, and the pet was adopted.',
    object({ petId, previousStatus: formerlyPending, status: adopted, orderId }),
    ({ holder }, petId) => ({ petId, previousStatus: 'PENDING', status: 'ADOPTED', orderId: holder.id }),
  ),
  PetPhotoAdded: messageSpec(
    'An image of the pet was uploaded. The URL of the image is PUBLIC_URL, followed by the path.',
    object({
      petId,
      imageId,
      path: text(
        'The path of the image below PUBLIC_URL',
        '/v1/pets/01a0e5b0-0000-7000-8000-000000000001/images/01a0e5b0-0000-7000-8000-000000000004',
      ),
      mediaType: oneOf('The media type of the stored image', IMAGE_TYPES, 'image/jpeg'),
      width: wholeNumber('The width of the image in pixels', 1, 1600),
      height: wholeNumber('The height of the image in pixels', 1, 1200),
      bytes: wholeNumber('The size of the image in bytes', 1, 240_000),
    }),
    ({ imageId, mediaType, width, height, bytes }, petId) => ({
      petId,
      imageId,
      path: `/v1/pets/${petId}/images/${imageId}`,
      mediaType,
      width,
      height,
      bytes,
    }),
  ),
  PetPhotoRemoved: messageSpec('An image of the pet was removed.', object({ petId, imageId }), ({ imageId }, petId) => ({
    petId,
    imageId,
  })),
  PetHeldForAdoption: messageSpec(
    'The applications that hold the pet changed. The message lists all of them, not only a new one.',
    object({ petId, status: pending, adoptionIds: list('The open applications that hold the pet', adoptionId) }),
    ({ adoptionIds }, petId) => ({ petId, status: 'PENDING', adoptionIds }),
  ),
  PetFreedFromAdoption: messageSpec(
    'The last open application for the pet ended.',
    object({ petId, previousStatus: formerlyPending, status: constantValue('AVAILABLE', 'The status of the pet') }),
    (_, petId) => ({ petId, previousStatus: 'PENDING', status: 'AVAILABLE' }),
  ),
  PetAdoptedByApplication: messageSpec(
    'An application for the pet was approved, and the pet was adopted.',
    object({ petId, previousStatus: formerlyPending, status: adopted, adoptionId }),
    ({ adoptionId }, petId) => ({ petId, previousStatus: 'PENDING', status: 'ADOPTED', adoptionId }),
  ),
  PetRetired: messageSpec(
    'The pet was removed from the catalogue. Its history is kept.',
    object({ petId, previousStatus, retired: constantValue(true, 'The pet is retired') }),
    ({ status }, petId) => ({ petId, previousStatus: status, retired: true }),
  ),
});
