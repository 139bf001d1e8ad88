/** Examples for the OpenAPI document. A test validates them. */
export const SIGN_IN_EXAMPLE = { username: 'ann', password: 'correct horse battery' };

export const ACCESS_TOKEN_EXAMPLE = {
  token: 'eyJhbGciOiJSUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIwMTkwYTZiOCJ9.c2lnbmF0dXJl',
  tokenType: 'Bearer',
  expiresAt: '2026-01-03T03:04:05.678Z',
};

const sessionPage = 'https://pets.example.com/v1/auth/sessions?page=1&limit=20';

export const SESSION_COLLECTION_EXAMPLE = {
  data: [
    {
      id: '0190a6b8-2d5b-7e10-9f4d-7b5e9a6c8d06',
      scopes: ['read:pets', 'chat:write'],
      createdAt: '2026-01-02T03:04:05.678Z',
      expiresAt: '2026-01-03T03:04:05.678Z',
      current: true,
    },
  ],
  pagination: { page: 1, limit: 20, totalItems: 1, totalPages: 1 },
  links: { self: sessionPage, first: sessionPage, last: sessionPage, next: null, prev: null },
};
