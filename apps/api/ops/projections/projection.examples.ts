/** A read model that follows the log, and one that is paused. */
export const PROJECTION_STATES_EXAMPLE = {
  data: [
    {
      name: 'pets',
      version: 2,
      status: 'running',
      position: 1200,
      behind: 0,
      behindSeconds: 0,
      secondsLeft: null,
      eventsPerSecond: 40,
      owner: 'worker-1/4711',
      parked: 0,
      etag: '"zVmVyl3Ar5XqHnZR"',
      stoppedByPause: [],
    },
    {
      name: 'orders',
      version: 2,
      status: 'paused',
      position: 1100,
      behind: 100,
      behindSeconds: 62.5,
      secondsLeft: null,
      eventsPerSecond: 0,
      owner: 'worker-1/4711',
      parked: 0,
      pause: { since: '2026-01-02T03:04:05.678Z', by: 'ann', reason: 'release 5.2 will repair it' },
      etag: '"bJ0kTt1wP2uEo9Qs"',
      stoppedByPause: ['unpaid orders do not expire, so their pets stay reserved'],
    },
  ],
} as const;

export const REASON_EXAMPLE = { reason: 'release 5.2 will repair it' } as const;
