/** Examples for the OpenAPI document. A test validates them. */
export const SIGN_IN_EXAMPLE = { username: 'ann', password: 'correct horse battery' };

export const ACCESS_TOKEN_EXAMPLE = {
  token: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIwMTkwYTZiOCJ9.c2lnbmF0dXJl',
  tokenType: 'Bearer',
  expiresAt: '2026-01-03T03:04:05.678Z',
};
