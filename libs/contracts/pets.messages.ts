import { GENDERS, PET_STATUSES, SIZES, SPECIES, type PetDetails, type PetEvent } from '../domain/pets/pet.events.js';
import { messageContract, told } from './message-contract.js';
import { always, currency, flag, id, list, money, object, oneOf, text, uri, wholeNumber } from './message-schema.js';

const petId = id('The pet', '01a0e5b0-0000-7000-8000-000000000001');
const orderId = id('The order that the pet is kept for', '01a0e5b0-0000-7000-8000-000000000002');
const status = oneOf('What the pet is now', PET_STATUSES, 'AVAILABLE');
const previousStatus = oneOf('What it was before', PET_STATUSES, 'AVAILABLE');
const pending = always('PENDING', 'What the pet is now');

const medicalInfo = object(
  {},
  {
    spayedNeutered: flag('Whether it is spayed or neutered'),
    vaccinated: flag('Whether it is vaccinated'),
    microchipped: flag('Whether it has a microchip'),
    specialNeeds: flag('Whether it needs special care', false),
    healthNotes: text('What else is to be known', 'fit'),
  },
  'What is known of its health; absent is what was not said',
);

/** What may be said of a pet, and need not be; webhooks show it, too. */
export const OPTIONAL_DETAILS = {
  breed: text('Its breed', 'Border Collie'),
  size: oneOf('How big it is', SIZES, 'MEDIUM'),
  color: text('Its colour', 'black and white'),
  gender: oneOf('Its gender', GENDERS, 'MALE'),
  goodWithKids: flag('Whether it gets along with children'),
  price: money('What it costs', '90.00'),
  currency: currency('Of the price', 'EUR'),
  description: text('What its keepers say of it', 'Herds everything, even “cats” 🐈'),
  photos: list('Where its pictures are', uri('A picture', 'https://example.org/rex.jpg')),
  medicalInfo,
};

const details = object(
  {
    name: text('Its name', 'Rex'),
    species: oneOf('What kind of animal it is', SPECIES, 'DOG'),
    ageMonths: wholeNumber('Its age in months', 0, 24),
  },
  OPTIONAL_DETAILS,
  'All that the catalogue shows of it; absent is what was not said',
);

/** Named one by one, so that a detail added for the staff's eyes is not told by accident. */
const shown = ({ medicalInfo, ...details }: PetDetails) => ({
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

/** What outsiders see of pets: what the catalogue shows of them. Who asked for a pet is not told ("no personal data"), only by which order. */
export const petMessages = messageContract<PetEvent>('pet', 'pets', {
  PetListed: told('A pet came into the catalogue.', object({ petId, status, details }), ({ details, status }, petId) => ({
    petId,
    status,
    details: shown(details),
  })),
  PetDetailsRevised: told(
    'What the catalogue shows of the pet has changed; these are all its details, not the changed ones only.',
    object({ petId, details }),
    ({ details }, petId) => ({ petId, details: shown(details) }),
  ),
  PetStatusSet: told('The staff changed the pet’s status.', object({ petId, previousStatus, status }), ({ from, to }, petId) => ({
    petId,
    previousStatus: from,
    status: to,
  })),
  PetReserved: told(
    'The pet is kept for an order, and for nobody else.',
    object({ petId, previousStatus: always('AVAILABLE', 'What it was before'), status: pending, orderId }),
    ({ holder }, petId) => ({ petId, previousStatus: 'AVAILABLE', status: 'PENDING', orderId: holder.id }),
  ),
  PetReleased: told(
    'The order lets go of the pet: free again when the order was cancelled, adopted for good when it was fulfilled.',
    object({ petId, previousStatus, status, orderId }),
    ({ holder, from, to }, petId) => ({ petId, previousStatus: from, status: to, orderId: holder.id }),
  ),
  PetAdopted: told(
    'The order was paid, and the pet is adopted.',
    object({
      petId,
      previousStatus: always('PENDING', 'What it was before'),
      status: always('ADOPTED', 'What the pet is now'),
      orderId,
    }),
    ({ holder }, petId) => ({ petId, previousStatus: 'PENDING', status: 'ADOPTED', orderId: holder.id }),
  ),
  PetRetired: told(
    'The pet left the catalogue; its history stays.',
    object({ petId, previousStatus, retired: always(true, 'It is gone') }),
    ({ status }, petId) => ({ petId, previousStatus: status, retired: true }),
  ),
});
