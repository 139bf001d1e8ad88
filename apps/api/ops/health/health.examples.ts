/** The health of a log in which the last audit has found no fault. */
export const STORE_HEALTH_EXAMPLE = {
  version: '1.0.0',
  audit: {
    state: 'whole',
    verifiedPosition: 1200,
    verifiedAt: '2026-01-02T03:04:05.678Z',
    unverifiedCount: 12,
    endedAt: '2026-01-02T03:04:05.678Z',
    faultCount: 0,
    faults: [],
  },
  brokenStreamCount: 0,
  brokenStreams: [],
} as const;
