import type { DocumentWrite } from './documents.port.js';

/**
 * What stands beside the read model that queries read: a `fill` of the same version, which may replace it, or the `kept` one, which was
 * replaced. Both receive the events of the log.
 */
export const SIDES = ['fill', 'kept'] as const;
export type Beside = (typeof SIDES)[number];

/** By projection: which of them an operator wants. */
export type WantedFills = { readonly [B in Beside]: ReadonlySet<string> };

/** Second fills of read models, beside those that queries read. Projections are named by their names. */
export abstract class Fills {
  /**
   * Creates the fills that are wanted and missing, and drops all others. `wanted` is called when nothing else changes them. Resolves when
   * those that are dropped receive no more events.
   */
  abstract follow(wanted: () => Promise<WantedFills>): Promise<void>;
  /** Returns the position of a fill, and whether it has reached the end of the log. Null if there is none. */
  abstract progress(projection: string, beside: Beside): Promise<{ readonly position: number; readonly hasReachedEnd: boolean } | null>;
  /**
   * Compares a fill that has reached the end of the log with the read model that queries read: the numbers of documents, the counters,
   * and up to 1,000 documents that `seed` chooses. Returns what differs, or null. Undefined: they never had the same events, and cannot
   * be compared now.
   */
  abstract compare(projection: string, seed: number): Promise<string | null | undefined>;
  /**
   * Lets queries read `beside` from now on, and keeps what they read until now as `kept`. Writes `state` in the same transaction.
   * Returns false and changes nothing if the stored document of `state` has another revision than it expects, or if `beside` has not
   * reached the end of the log.
   */
  abstract exchange(projection: string, beside: Beside, state: DocumentWrite): Promise<boolean>;
}
