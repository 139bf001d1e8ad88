/** Examples for the OpenAPI document. A test validates them. */
export const NEW_USER_EXAMPLE = {
  username: 'ann',
  firstName: 'Ann',
  lastName: 'Lee',
  email: 'ann@example.com',
  password: 'correct horse battery',
  phone: '+14155550123',
};

const USER_ID = '0190a6b8-2d5b-7e10-9f4d-7b5e9a6c8d04';

export const USER_EXAMPLE = {
  id: USER_ID,
  username: 'ann',
  firstName: 'Ann',
  lastName: 'Lee',
  email: 'ann@example.com',
  phone: '+14155550123',
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
};

export const USER_CHANGES_EXAMPLE = { phone: '+14155550199' };

const page = 'https://pets.example.com/v1/users?page=1&limit=20';

export const USER_COLLECTION_EXAMPLE = {
  data: [USER_EXAMPLE],
  pagination: { page: 1, limit: 20, totalItems: 1, totalPages: 1 },
  links: { self: page, first: page, last: page, next: null, prev: null },
};
