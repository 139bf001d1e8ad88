/** The key that signs tokens. */
export const SERVICE_KEY_EXAMPLE = {
  id: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  kind: 'token-signing',
  createdAt: '2026-01-02T03:04:05.678Z',
  status: 'current',
} as const;

/** A new key for tokens. */
export const ANNOUNCED_KEY_EXAMPLE = {
  id: 'J1wnDkLzXZ2v4sY6mBq0uRk8T3cVhF5pGiN7oEaQxWw',
  kind: 'token-signing',
  createdAt: '2026-02-03T04:05:06.789Z',
  activatesAt: '2026-02-03T04:15:06.789Z',
  status: 'announced',
} as const;

export const SERVICE_KEY_COLLECTION_EXAMPLE = {
  data: [
    SERVICE_KEY_EXAMPLE,
    { id: 'callback-signing', kind: 'callback-signing', createdAt: '2026-01-02T03:04:05.678Z', status: 'current' },
  ],
  pagination: { page: 1, limit: 20, totalItems: 2, totalPages: 1 },
};
