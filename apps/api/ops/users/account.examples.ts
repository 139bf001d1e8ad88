import { NEW_USER_EXAMPLE, USER_EXAMPLE } from '../../users/user.examples.js';

/** Examples for the OpenAPI document. A test validates them. */
export const ACCOUNT_EXAMPLE = { ...USER_EXAMPLE, staff: false, disabled: false };

export const NEW_ACCOUNT_EXAMPLE = { ...NEW_USER_EXAMPLE, staff: true };

export const NEW_PASSWORD_EXAMPLE = { password: 'correct horse battery' };

const page = 'https://pets.example.com/v1/ops/users?page=1&limit=20';

export const ACCOUNT_COLLECTION_EXAMPLE = {
  data: [ACCOUNT_EXAMPLE],
  pagination: { page: 1, limit: 20, totalItems: 1, totalPages: 1 },
  links: { self: page, first: page, last: page, next: null, prev: null },
};
