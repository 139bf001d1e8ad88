/** Examples for the OpenAPI document. A test validates them. */
export const NEW_PET_EXAMPLE = {
  name: 'Luna',
  species: 'DOG',
  breed: 'Labrador Retriever',
  ageMonths: 18,
  size: 'LARGE',
  color: 'golden',
  gender: 'FEMALE',
  goodWithKids: true,
  price: '250.00',
  currency: 'USD',
  description: 'Gentle, knows sit and stay.',
  medicalInfo: { spayedNeutered: true, vaccinated: true, microchipped: true },
};

export const PET_REPLACEMENT_EXAMPLE = { ...NEW_PET_EXAMPLE, status: 'AVAILABLE' };

export const PET_EXAMPLE = {
  id: '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60',
  ...PET_REPLACEMENT_EXAMPLE,
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
};

const PAGE = { page: 1, limit: 20, totalItems: 1, totalPages: 1 };
const ONLY_PAGE = 'https://pets.example.com/v1/pets?species=DOG&page=1&limit=20';

export const PET_COLLECTION_EXAMPLE = {
  data: [PET_EXAMPLE],
  pagination: PAGE,
  links: { self: ONLY_PAGE, first: ONLY_PAGE, last: ONLY_PAGE, next: null, prev: null },
};

export const PET_SEARCH_EXAMPLE = {
  criteria: {
    species: ['DOG', 'CAT'],
    ageRange: { min: 6, max: 48 },
    size: ['MEDIUM', 'LARGE'],
    compatibility: { goodWithKids: true },
    medical: { vaccinated: true },
  },
  sort: { field: 'price', order: 'ASC' },
  pagination: { page: 1, limit: 20 },
};

export const PET_SEARCH_RESULT_EXAMPLE = { data: [PET_EXAMPLE], pagination: PAGE };
