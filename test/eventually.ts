import { DEADLINES } from './deadlines.js';

/** Milliseconds between two calls of `probe`. */
const EVERY = 20;

/**
 * Calls `probe` until it returns a value other than undefined, null or false. Returns this value. Throws after `within`
 * milliseconds, which is a deadline unless a suite measures. The error contains `what` and the last value. Tests use this
 * function instead of a fixed delay.
 */
export const eventually = async <T>(
  what: string,
  probe: () => Promise<T> | T,
  within: number = DEADLINES.eventually,
): Promise<NonNullable<T>> => {
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
