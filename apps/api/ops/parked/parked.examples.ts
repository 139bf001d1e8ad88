const STREAM = 'pet-0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60';

/** A stream that a read model has parked. */
export const PARKED_LIST_EXAMPLE = {
  count: 1,
  isComplete: true,
  causes: [
    {
      kind: 'stream',
      name: 'pets',
      cause: 'error-3f9a1c04',
      count: 1,
      items: [
        {
          stream: STREAM,
          revision: 2,
          error: 'the price has no currency',
          eventType: 'PetDetailsRevised',
          eventTime: '2026-01-02T03:04:05.678Z',
        },
      ],
    },
  ],
} as const;

export const NEW_RETRY_EXAMPLE = { name: 'pets', stream: STREAM, reason: 'release 5.2 handles the event' } as const;

/** The stream no longer waits. */
export const RETRY_RESULTS_EXAMPLE = {
  trial: false,
  results: [{ name: 'pets', stream: STREAM, revision: 2, cause: 'error-3f9a1c04', outcome: 'released' }],
} as const;

const SKIP = { name: 'pets', stream: STREAM, revision: 2 } as const;

export const NEW_SKIP_EXAMPLE = { ...SKIP, reason: 'the supplier sent a price without a currency' } as const;
export const NEW_UNSKIP_EXAMPLE = { ...SKIP, reason: 'release 5.2 handles the event' } as const;
export const SKIP_RESULT_EXAMPLE = { ...SKIP, outcome: 'released' } as const;
export const SKIPPED_EVENTS_EXAMPLE = {
  data: [{ ...NEW_SKIP_EXAMPLE, since: '2026-01-02T03:04:05.678Z', by: 'ann' }],
} as const;
