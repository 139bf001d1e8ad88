import { GENDERS, PET_STATUSES, SIZES, SPECIES, type PetDetails, type PetEvent } from '../../domain/pets/pet.events.js';
import { messageContract, messageSpec } from '../message-contract.js';
import { constantValue, currency, flag, id, list, money, object, oneOf, text, uri, wholeNumber } from '../message-schema.js';

const petId = id('The pet', '01a0e5b0-0000-7000-8000-000000000001');
const orderId = id('The order that holds the pet', '01a0e5b0-0000-7000-8000-000000000002');
const status = oneOf('The status of the pet', PET_STATUSES, 'AVAILABLE');
const previousStatus = oneOf('The previous status', PET_STATUSES, 'AVAILABLE');
const pending = constantValue('PENDING', 'The status of the pet');

/** What is known of a pet's health, in messages and in webhooks. */
export const MEDICAL_INFO_SCHEMA = object(
  {},
  {
    spayedNeutered: flag('Whether it is spayed or neutered'),
    vaccinated: flag('Whether it is vaccinated'),
    microchipped: flag('Whether it has a microchip'),
    specialNeeds: flag('Whether it needs special care', false),
    healthNotes: text('Further notes on its health', 'fit'),
  },
  'What is known of its health; unknown facts are absent',
);

/** The optional details of a pet, in messages and in webhooks. */
export const OPTIONAL_DETAILS = {
  breed: text('Its breed', 'Border Collie'),
  size: oneOf('Its size', SIZES, 'MEDIUM'),
  color: text('Its colour', 'black and white'),
  gender: oneOf('Its gender', GENDERS, 'MALE'),
  goodWithKids: flag('Whether it gets along with children'),
  price: money('Its price', '90.00'),
  currency: currency('The currency of the price', 'EUR'),
  description: text('Its description', 'Herds everything, even “cats” 🐈'),
  photos: list('The URLs of its photos', uri('A photo', 'https://example.org/rex.jpg')),
  medicalInfo: MEDICAL_INFO_SCHEMA,
};

/** The details of a pet in messages. */
export const PET_DETAILS_SCHEMA = object(
  {
    name: text('Its name', 'Rex'),
    species: oneOf('Its species', SPECIES, 'DOG'),
    ageMonths: wholeNumber('Its age in months', 0, 24),
  },
  OPTIONAL_DETAILS,
  'The details of the pet in the catalogue; unknown details are absent',
);

/** Lists the members one by one, so that a new internal detail is not published by accident. */
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

/** The public messages of pets. They name the order that holds a pet but not the user (contract 22.5). */
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
    'The order released the pet: AVAILABLE when the order was cancelled, ADOPTED when it was fulfilled.',
    object({ petId, previousStatus, status, orderId }),
    ({ holder, from, to }, petId) => ({ petId, previousStatus: from, status: to, orderId: holder.id }),
  ),
  PetAdopted: messageSpec(
    'The order was paid, and the pet was adopted.',
    object({
      petId,
      previousStatus: constantValue('PENDING', 'The previous status'),
      status: constantValue('ADOPTED', 'The status of the pet'),
      orderId,
    }),
    ({ holder }, petId) => ({ petId, previousStatus: 'PENDING', status: 'ADOPTED', orderId: holder.id }),
  ),
  PetRetired: messageSpec(
    'The pet was removed from the catalogue; its history is kept.',
    object({ petId, previousStatus, retired: constantValue(true, 'The pet is retired') }),
    ({ status }, petId) => ({ petId, previousStatus: status, retired: true }),
  ),
});
