/** The milliseconds between two probes. */
const EVERY = 20;

/**
 * Waits until `probe` returns something other than undefined, null or false, and returns that. Throws after
 * `within` milliseconds; the error contains `what` and the last value. A test waits for a condition and never
 * sleeps.
 */
export const eventually = async <T>(what: string, probe: () => Promise<T> | T, within = 10_000): Promise<NonNullable<T>> => {
  const until = performance.now() + within;
  for (;;) {
    let seen: unknown;
    try {
      const value = await probe();
      if (value !== undefined && value !== null && value !== false) return value;
      seen = value;
    } catch (error) {
      seen = error;
    }
    if (performance.now() > until) throw new Error(`waited ${within} ms for ${what}; last seen: ${String(seen)}`, { cause: seen });
    await new Promise((resolve) => setTimeout(resolve, EVERY));
  }
};
