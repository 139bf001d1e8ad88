/** How often a condition is looked at. */
const EVERY = 20;

/**
 * Waits until `probe` answers something other than undefined, null or false, and answers that. Gives up after `within`
 * milliseconds, saying what it was waiting for and what it saw last: a test waits for a condition, it never sleeps.
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
