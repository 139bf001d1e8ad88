const digest = (letter: string): string => letter.repeat(43);

export const SIGNED_CHECKPOINT_EXAMPLE = {
  checkpoint: {
    version: 'petstore-checkpoint/1',
    store: '01a0e5b0-0000-7000-8000-000000000001',
    index: 1,
    size: 1200,
    root: digest('a'),
    time: '2026-01-02T03:04:05.678Z',
    previous: digest('b'),
    tenants: [digest('c')],
    keyId: digest('d'),
  },
  signature: 'e'.repeat(86),
} as const;

export const CHECKPOINT_COLLECTION_EXAMPLE = {
  data: [SIGNED_CHECKPOINT_EXAMPLE],
  pagination: { page: 1, limit: 20, totalItems: 1, totalPages: 1 },
};

export const PROOF_KEY_SET_EXAMPLE = { keys: [{ kty: 'OKP', crv: 'Ed25519', x: digest('f'), kid: digest('d') }] } as const;
