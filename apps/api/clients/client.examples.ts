/** Examples for the OpenAPI document. A test validates them. */
export const NEW_CLIENT_EXAMPLE = {
  name: 'Pet Finder',
  redirectUris: ['https://finder.example.com/signed-in'],
  confidential: true,
};

export const CLIENT_EXAMPLE = {
  id: '0190a6b9-4c6d-7f21-8a5e-8c6f0b7d9e15',
  ...NEW_CLIENT_EXAMPLE,
  postLogoutRedirectUris: [],
  device: false,
  implicit: false,
  program: false,
  scopes: [],
  createdAt: '2026-01-02T03:04:05.678Z',
};

export const REGISTERED_CLIENT_EXAMPLE = { ...CLIENT_EXAMPLE, secret: 'vN3kZ0c1Qm7yR5tW8xB2uE4pL6aJ9sD0fG1hK3nM5oQ' };

export const CLIENT_CHANGES_EXAMPLE = { redirectUris: ['https://finder.example.com/signed-in'] };

export const ROTATED_CLIENT_EXAMPLE = {
  ...CLIENT_EXAMPLE,
  secret: 'q8W1kZ0c3Vm7yR5tN8xB2uE4pL6aJ9sD0fG1hK3nM5o',
  formerSecretValidUntil: '2026-01-03T03:04:05.678Z',
};

const page = 'https://pets.example.com/v1/ops/clients?page=1&limit=20';

export const CLIENT_COLLECTION_EXAMPLE = {
  data: [CLIENT_EXAMPLE],
  pagination: { page: 1, limit: 20, totalItems: 1, totalPages: 1 },
  links: { self: page, first: page, last: page, next: null, prev: null },
};
