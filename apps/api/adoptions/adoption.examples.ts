const PET_ID = '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60';

/** Examples for the OpenAPI document. A test validates them. */
export const NEW_ADOPTION_EXAMPLE = {
  petId: PET_ID,
  applicant: { name: 'Ann Lee', email: 'ann@example.com', phone: '+14155550123' },
  message: 'We have a garden and two quiet children.',
};

export const ADOPTION_EXAMPLE = {
  id: '0190a6b7-4e5f-7d78-9f4d-7b5e9a6c8d04',
  ...NEW_ADOPTION_EXAMPLE,
  status: 'submitted',
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
};

export const SUBMITTED_ADOPTION_EXAMPLE = {
  ...ADOPTION_EXAMPLE,
  manageToken: 'eyJhbGciOiJSUzI1NiJ9.eyJhZG9wdGlvbiI6IjAxOTAifQ.c2lnbmF0dXJl',
};

export const ADOPTION_COLLECTION_EXAMPLE = {
  data: [ADOPTION_EXAMPLE],
  pagination: { page: 1, limit: 20, totalItems: 1, totalPages: 1 },
};
