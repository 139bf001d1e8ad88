import type { PetDetails, PetEvent } from '../domain/pets/pet.events.js';
import { messageContract } from './message-contract.js';

/** Named one by one, so that a detail added for the staff's eyes is not told by accident. */
const shown = ({ medicalInfo, ...details }: PetDetails): object => ({
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
  PetListed: ({ details, status }, petId) => ({ petId, status, details: shown(details) }),
  PetDetailsRevised: ({ details }, petId) => ({ petId, details: shown(details) }),
  PetStatusSet: ({ from, to }, petId) => ({ petId, previousStatus: from, status: to }),
  PetReserved: ({ holder }, petId) => ({ petId, previousStatus: 'AVAILABLE', status: 'PENDING', orderId: holder.id }),
  PetReleased: ({ holder, from, to }, petId) => ({ petId, previousStatus: from, status: to, orderId: holder.id }),
  PetAdopted: ({ holder }, petId) => ({ petId, previousStatus: 'PENDING', status: 'ADOPTED', orderId: holder.id }),
  PetRetired: ({ status }, petId) => ({ petId, previousStatus: status, retired: true }),
});
