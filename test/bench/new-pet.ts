/** The body of every measured creation. */
export const NEW_PET = {
  name: 'Biscuit',
  species: 'DOG',
  breed: 'Beagle',
  ageMonths: 14,
  size: 'MEDIUM',
  color: 'tricolor',
  gender: 'MALE',
  goodWithKids: true,
  price: '250.00',
  currency: 'USD',
  description: 'Biscuit walks well on the lead.',
  status: 'AVAILABLE',
  medicalInfo: { spayedNeutered: true, vaccinated: true, microchipped: true, specialNeeds: false },
};
