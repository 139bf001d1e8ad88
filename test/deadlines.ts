/**
 * Milliseconds after which something that hangs fails. A test that passes never waits for them, so they are generous. A bound
 * that the service promises is no deadline: it belongs into the suite that measures it.
 */
export const DEADLINES = {
  /** A condition that a test waits for. */
  eventually: 60_000,
  /** The same, while servers start, recover or handle much data. */
  slow: 180_000,
  /** A test of `npm test`. */
  test: 180_000,
  /** A test of `npm run test:more`. */
  longTest: 1_800_000,
  /** What a suite has started must end. */
  leftovers: 60_000,
} as const;
