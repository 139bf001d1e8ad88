const PET_ID = '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60';

/** Examples for the OpenAPI document. A test validates them. */
export const NEW_ORDER_EXAMPLE = { petId: PET_ID, userId: 'ann', quantity: 1, shipDate: '2026-12-24' };

export const ORDER_CALLBACK_EXAMPLE = {
  amount: '250.00',
  currency: 'USD',
  timestamp: '2026-01-02T03:04:05Z',
  callbackUrl: 'https://shop.example.com/callbacks',
};

export const ORDER_EXAMPLE = {
  id: '0190a6b3-1d2f-7b45-8c1a-4e2b6d3f5a71',
  ...NEW_ORDER_EXAMPLE,
  status: 'placed',
  complete: false,
  amountDue: '250.00',
  currency: 'USD',
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
  expiresAt: '2026-01-03T03:04:05.678Z',
};

const { expiresAt: _, ...UNEXPIRING } = ORDER_EXAMPLE;
export const SHIPPED_ORDER_EXAMPLE = {
  ...UNEXPIRING,
  status: 'shipped',
  paymentStatus: 'succeeded',
  updatedAt: '2026-01-04T05:06:07.089Z',
};

const ONLY_PAGE = 'https://pets.example.com/v1/orders?status=placed&page=1&limit=20';

export const ORDER_COLLECTION_EXAMPLE = {
  data: [ORDER_EXAMPLE],
  pagination: { page: 1, limit: 20, totalItems: 1, totalPages: 1 },
  links: { self: ONLY_PAGE, first: ONLY_PAGE, last: ONLY_PAGE, next: null, prev: null },
};
